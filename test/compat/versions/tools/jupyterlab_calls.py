"""The Rucio API of the server extension of rucio-jupyterlab."""

import sys

from calls import call, raises
from rucio_jupyterlab.rucio import RucioAPI
from rucio_jupyterlab.rucio.exceptions import RucioAPIException, RucioHTTPException

host = sys.argv[2]
instance = {'name': 'dapple', 'rucio_base_url': host, 'rucio_auth_url': host, 'app_id': 'jupyter'}
user = {'account': 'root', 'username': 'ddmlab', 'password': 'secret'}
api = RucioAPI(instance, 'userpass', user)
did = {'scope': 'data', 'name': 'set'}


def names(found):
    return sorted(line['name'] for line in found)


def refused():
    RucioAPI.clear_auth_token_cache()
    wrong = RucioAPI(instance, 'userpass', {**user, 'password': 'wrong'})
    return raises(RucioAPIException, wrong.get_scopes)


call('authenticate', lambda: api.authenticate(user, 'userpass'), lambda token: len(token[0]) > 20 and int(token[1]) > 1.7e9)
call('authenticate, wrong password', refused, lambda is_refused: is_refused)
call('get_scopes', api.get_scopes, lambda scopes: 'data' in scopes)
call('get_rses', api.get_rses, lambda rses: {rse['rse'] for rse in rses} == {'ONE', 'TWO'})
call('get_rses by expression', lambda: api.get_rses('ANY=true'), lambda rses: [rse['rse'] for rse in rses] == ['ONE'])
call('search_did', lambda: api.search_did('data', '*', 'all'), lambda found: names(found) == ['file', 'set'])
call('search_did, collections', lambda: api.search_did('data', 's*'), lambda found: names(found) == ['set'])
call(
    'search_did by metadata',
    lambda: api.search_did('data', '*', 'all', filters='campaign=mc26'),
    lambda found: names(found) == ['set'],
)
call('search_did, limited', lambda: api.search_did('data', '*', 'all', limit=1), lambda found: len(found) == 1)
call('get_metadata', lambda: api.get_metadata(**did), lambda text: 'mc26' in text)
call('get_files', lambda: api.get_files(**did), lambda files: names(files) == ['file'] and files[0]['bytes'] == 5)
call('get_parents', lambda: api.get_parents('data', 'file'), lambda parents: names(parents) == ['set'])
call('get_replicas', lambda: api.get_replicas(**did), lambda files: list(files[0]['rses']) == ['ONE'])
rule = call(
    'add_replication_rule',
    lambda: api.add_replication_rule(dids=[did], copies=1, rse_expression='TWO', account='root'),
    lambda ids: len(ids) == 1 and len(ids[0]) == 32,
)
call('get_rules', lambda: api.get_rules(**did), lambda rules: rules[0]['rse_expression'] == 'TWO')
call('get_rule_details', lambda: api.get_rule_details(rule[0]), lambda found: found['id'] == rule[0])
call('get_files, nothing', lambda: raises(RucioHTTPException, lambda: api.get_files('data', 'none')), lambda missing: missing)
