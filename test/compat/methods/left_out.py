"""Client classes without cases, and why."""

left_out: dict[str, str] = {
    'OpenDataClient': 'not in the interface document',
    'CredentialClient': 'not in the interface document',
    'DiracClient': 'not in the interface document',
}
