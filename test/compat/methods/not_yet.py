"""What is still to come, and with what. A method that begins to work fails the suite until it is taken from here."""

#: Methods that have a case below, and whose case fails.
not_yet: dict[str, str] = {}

#: Client classes without cases.
clients_not_yet: dict[str, str] = {
    'OpenDataClient': 'not in the interface document',
    'CredentialClient': 'not in the interface document',
    'DiracClient': 'not in the interface document',
}
