"""What the cases share: two callers, a scope, an RSE, and names that nothing else has."""

import uuid
from typing import Any

from rucio.client import Client

Did = dict[str, Any]


def unique(prefix: str) -> str:
    """A name fit for accounts, scopes and DIDs; nothing else has it."""
    return f'{prefix}-{uuid.uuid4().hex[:10]}'


def unique_rse() -> str:
    """A name fit for RSEs; nothing else has it."""
    return unique('compat').upper()


class World:
    """The account root, an ordinary account of the name ``account``, a scope of root and one of that account."""

    def __init__(self) -> None:
        self.root = Client()
        self.account = self.new_account()
        self.user = self.log_in(self.account)
        self.scope = self.new_scope()
        self.user_scope = self.new_scope(self.account)
        self.rse = self.new_rse()

    def new_account(self) -> str:
        account = unique('acc')
        self.root.add_account(account, 'USER', 'kim@example.org')
        return account

    def log_in(self, account: str) -> Client:
        """Gives an account a password."""
        password = unique('password')
        self.root.add_identity(account, account, 'USERPASS', 'kim@example.org', password=password)
        creds = {'username': account, 'password': password}
        return Client(account=account, auth_type='userpass', creds=creds)

    def new_admin(self) -> Client:
        account = self.new_account()
        self.root.add_account_attribute(account, 'admin', 'true')
        return self.log_in(account)

    def new_scope(self, account: str = 'root') -> str:
        scope = unique('scope')
        self.root.add_scope(account, scope)
        return scope

    def new_rse(self, **properties: Any) -> str:
        rse = unique_rse()
        self.root.add_rse(rse, **properties)
        return rse

    def dataset(self, files: list[Did] | None = None, scope: str | None = None) -> Did:
        """A new dataset, perhaps with new files."""
        did = {'scope': scope or self.scope, 'name': unique('dataset')}
        self.root.add_dataset(**did)
        if files:
            self.root.attach_dids(**did, dids=files, rse=self.rse)
        return did

    def container(self, *children: Did) -> Did:
        """A new container, perhaps with content."""
        did = {'scope': self.scope, 'name': unique('container')}
        self.root.add_container(**did)
        if children:
            self.root.attach_dids(**did, dids=list(children))
        return did

    def new_file(self, size: int = 10, **more: Any) -> Did:
        """A file as an element of ``dids``; it is registered when it is attached with an RSE."""
        return {'scope': self.scope, 'name': unique('file'), 'bytes': size, 'adler32': '0cc737eb', **more}

    def new_files(self, count: int) -> list[Did]:
        return [self.new_file() for _ in range(count)]


def key(did: Did) -> Did:
    """Scope and name of a DID."""
    return {'scope': did['scope'], 'name': did['name']}


def pairs(*dids: Did) -> list[tuple[str, str]]:
    """Scope and name of DIDs, as ``lines(…, 'scope', 'name')`` gives them."""
    return sorted((did['scope'], did['name']) for did in dids)
