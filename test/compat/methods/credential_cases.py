"""Signed URLs (spec/access.md 6.7). The file of credentials that library.compat.ts makes holds those of one RSE."""

from rucio.client.credentialclient import CredentialClient
from rucio.common.exception import AccessDenied, Duplicate, RSENotFound, UnsupportedOperation

from .cases import case, raises
from .world import World, unique

RSE = 'COMPAT_SIGNED'
URL = 'https://signed.example.org:443/bucket/a/b'


def signed_rse(world: World) -> None:
    """Makes the RSE, once."""
    try:
        world.root.add_rse(RSE)
    except Duplicate:
        return
    everywhere = {'read': 1, 'write': 1, 'delete': 1}
    world.root.add_protocol(
        RSE,
        {
            'scheme': 'https',
            'hostname': 'signed.example.org',
            'port': 443,
            'prefix': '/bucket',
            'impl': 'rucio.rse.protocols.webdav.NoRename',
            'domains': {'lan': everywhere, 'wan': everywhere},
        },
    )


@case(CredentialClient.get_signed_url)
def signs(world: World) -> None:
    """signs URLs of S3 and Swift for reading, writing and deleting."""
    signed_rse(world)
    signatures = {world.root.get_signed_url(RSE, 's3', operation, URL) for operation in ('read', 'write', 'delete')}
    assert len(signatures) == 3
    for url in signatures:
        assert url.startswith('https://signed.example.org/bucket/a/b?X-Amz-Algorithm=AWS4-HMAC-SHA256&'), url
        assert 'X-Amz-Expires=3600' in url, url
    swift = world.root.get_signed_url(RSE, 'swift', 'read', URL, lifetime=60)
    assert swift.startswith('https://signed.example.org/bucket/a/b?temp_url_sig='), swift


@case(CredentialClient.get_signed_url)
def needs_the_attribute(world: World) -> None:
    """refuses accounts without the attribute sign-url, and unknown RSEs."""
    signed_rse(world)
    with raises(AccessDenied):
        world.user.get_signed_url(RSE, 's3', 'read', URL)
    with raises(RSENotFound):
        world.root.get_signed_url(unique('NONE').upper(), 's3', 'read', URL)


@case(CredentialClient.get_signed_url, differs='only URLs below a protocol of the RSE are signed')
def keeps_to_the_rse(world: World) -> None:
    """refuses URLs of other storage."""
    signed_rse(world)
    with raises(UnsupportedOperation):
        world.root.get_signed_url(RSE, 's3', 'read', 'https://other.example.org/bucket/a/b')
