"""Client classes without cases, and why."""

left_out: dict[str, str] = {
    'CredentialClient': 'not in the interface document (interface 4)',
}
