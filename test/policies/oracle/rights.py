"""Asks the permission functions of Rucio and of policy packages who may do what, without their database.

python rights.py <cases> <answers> [<folder with the sources of packages that are not on PyPI>]

Cases: {"policy": ..., "cases": [{"action", "account", "attributes", "scope", "owner", "rse", "rseAttributes", "ownerType", "options",
"locked", "asksApproval"}, ...]}. Answers: [true, false, or null where the original fails].
"""
import importlib
import importlib.abc
import importlib.util
import json
import os
import sys
import tempfile
from unittest.mock import MagicMock

home = tempfile.mkdtemp()
os.makedirs(os.path.join(home, 'etc'))
with open(os.path.join(home, 'etc', 'rucio.cfg'), 'w') as config:
    config.write('[common]\n[database]\ndefault = sqlite:///:memory:\n')
os.environ['RUCIO_HOME'] = home

import rucio.common.types  # noqa: E402


class Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules that read the database, and what only they need."""

    def find_spec(self, name, path=None, target=None):
        stubbed = name.split('.')[0] == 'sqlalchemy' or name in ('rucio.core', 'rucio.db') or name.startswith(('rucio.core.', 'rucio.db.'))
        return importlib.util.spec_from_loader(name, self, is_package=True) if stubbed else None

    def create_module(self, spec):
        module = MagicMock(name=spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module):
        pass


class Result:
    def __init__(self, allowed, message=None):
        self.allowed = allowed

    def __bool__(self):
        return self.allowed


PACKAGES = {
    'atlas': 'atlas_rucio_policy_package',
    'belleii': 'belleii_rucio_policy_package',
    'cms': 'CMSRucioPolicy',
    'eic': 'eic_rucio_policy_package',
    'escape': 'escape_rucio_policy_package',
    'jlab': 'jlab_rucio_policy_package',
    'lsst': 'RubinRucioPolicy',
}


def load(policy):
    rucio = os.path.dirname(importlib.util.find_spec('rucio').origin or '') or list(importlib.util.find_spec('rucio').submodule_search_locations)[0]
    path = os.path.join(rucio, 'core', 'permission', 'generic.py')
    if policy in PACKAGES:
        found = importlib.util.find_spec(PACKAGES[policy])
        if found is None:
            raise ModuleNotFoundError(name=PACKAGES[policy])
        path = os.path.join(list(found.submodule_search_locations)[0], 'permission.py')
    sys.meta_path.insert(0, Stubs())
    importlib.import_module('rucio.core.permission').PermissionResult = Result
    spec = importlib.util.spec_from_file_location('original', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ask(module, case):
    account = rucio.common.types.InternalAccount
    attributes = case['attributes']
    scope = rucio.common.types.InternalScope(case['scope'], vo='def')
    issuer, owner = account(case['account'], vo='def'), account(case['owner'], vo='def')
    rule = {
        'account': owner, 'rse_expression': case['rse'], 'scope': scope, 'ignore_account_limit': False, 'activity': 'User Subscriptions',
    }
    rses = [{'id': 'id', 'rse_id': 'id', 'rse': case['rse']}]
    stubs = {
        'has_account_attribute': lambda account, key, session=None: str(attributes.get(key)) == 'true',
        'list_account_attributes': lambda account, session=None: [{'key': key, 'value': value} for key, value in attributes.items()],
        'list_rse_attributes': lambda rse_id, session=None: case['rseAttributes'],
        'parse_expression': lambda *args, **named: rses,
        'get_rule': lambda *args, **named: rule,
        'get_account': lambda *args, **named: {'account_type': getattr(module.AccountType, case['ownerType']) if hasattr(module, 'AccountType') else case['ownerType']},
        'get_metadata': lambda *args, **named: {'account': account('nobody', vo='def')},
        'config_get': lambda *args, **named: named.get('default'),
    }
    for name, stub in stubs.items():
        if hasattr(module, name):
            setattr(module, name, stub)
    if hasattr(module, 'BadPFNStatus'):
        for name in ['BAD', 'SUSPICIOUS', 'TEMPORARY_UNAVAILABLE']:
            getattr(module.BadPFNStatus, name).name = name
    core = sys.modules['rucio.core']
    core.scope.is_scope_owner = lambda scope, account, session=None: scope.external == account.external + '.data'
    # CMS's function looks for a text in an account, which fails for accounts that are no users.
    account.__contains__ = lambda self, text: text in self.external
    core.did.get_metadata = stubs['get_metadata']
    module.rucio.core = core
    did = {'scope': scope, 'name': '/store/user/x', 'type': 'FILE'}
    kwargs = {
        **did, 'account': owner, 'accounts': [case['owner']], 'dids': [did], 'attachments': [did], 'rse': case['rse'], 'rse_id': 'id',
        'rse_expression': case['rse'], 'rule_id': 'id', 'options': {option: 1 for option in case['options']}, 'locked': case['locked'],
        'ask_approval': case['asksApproval'], 'activity': 'User Subscriptions', 'lifetime': 86400 if 'lifetime' in case['options'] else None, 'vo': None, 'key': 'x', 'value': 'y',
        'state': 'BAD', 'exception_id': 'id', 'open': False, 'rules': [],
    }
    try:
        return bool(module.has_permission(issuer, case['action'], kwargs, session=None))
    except TypeError:
        return None


if __name__ == '__main__':
    sys.path += sys.argv[3:]
    with open(sys.argv[1]) as source:
        asked = json.load(source)
    try:
        original = load(asked['policy'])
        result = [ask(original, case) for case in asked['cases']]
    except ModuleNotFoundError as error:
        if error.name not in PACKAGES.values():
            raise
        result = {'missing': error.name}
    with open(sys.argv[2], 'w') as target:
        json.dump(result, target)
