"""Asks the policy packages of experiments, and Rucio itself, what they say about names and which paths they give.

python oracle.py <questions> <answers> [<folder with the sources of packages that are not on PyPI>]

Questions: {"policy": ..., "names": {kind: [text, ...]}, "dids": [[scope, name, type], ...], "paths": {algorithm: [[scope, name],
...]}, "copyPaths": {convention: [[scope, name, dataset], ...]}, "scopes": {convention: [name, ...]}, "known": [scope, ...]}.
Answers: the same with messages of refusals (null: accepted), paths and scopes (null: there is none) in place of the questions;
null in place of a kind or an algorithm that the original does not have.
"""
import importlib
import json
import os
import sys
import tempfile
import types

home = tempfile.mkdtemp()
os.makedirs(os.path.join(home, 'etc'))
with open(os.path.join(home, 'etc', 'rucio.cfg'), 'w') as config:
    config.write('[common]\n[database]\ndefault = sqlite:///:memory:\n')
os.environ['RUCIO_HOME'] = home

import jsonschema  # noqa: E402
import jsonschema.exceptions  # noqa: E402
import jsonschema.validators  # noqa: E402
import rucio.common.schema as schemas  # noqa: E402
from rucio.common.exception import InvalidObject  # noqa: E402
from rucio.common.utils import NonDeterministicPFNAlgorithms, ScopeExtractionAlgorithms  # noqa: E402
from rucio.rse.translation import RSEDeterministicTranslation  # noqa: E402

PACKAGES = {
    'atlas': 'atlas_rucio_policy_package',
    'belleii': 'belleii_rucio_policy_package',
    'cms': 'CMSRucioPolicy',
    'ctao': 'bdms_rucio_policy',
    'eic': 'eic_rucio_policy_package',
    'escape': 'escape_rucio_policy_package',
    'icecube': 'icecube',
    'jlab': 'jlab_rucio_policy_package',
    'lsst': 'RubinRucioPolicy',
    'pic': 'pic_rucio_policy_package',
}
RUCIO = {'generic', 'igwn'}
KINDS = {'scope': 'SCOPE', 'account': 'ACCOUNT', 'accountAttribute': 'ACCOUNT_ATTRIBUTE', 'rse': 'RSE', 'activity': 'ACTIVITY'}


def schema_of(policy):
    if policy in RUCIO:
        return importlib.import_module('rucio.common.schema.generic')
    package = PACKAGES[policy]
    return importlib.import_module(package if policy == 'icecube' else package + '.schema')


def validator_of(schema):
    """What jsonschema.validate makes for each call, once."""
    return jsonschema.validators.validator_for(schema)(schema)


def refusal(instance, validator):
    error = jsonschema.exceptions.best_match(validator.iter_errors(instance))
    return None if error is None else error.message


def did_refusal(module, validator, scope, name, did_type):
    did = {'scope': scope, 'name': name, 'type': did_type}
    message = refusal(did, validator)
    if message is not None or not hasattr(module, 'validate_cms_did'):
        return message
    try:
        module.validate_cms_did(did)
    except InvalidObject as error:
        return error.args[0]
    return None


def attempt(function, *args):
    try:
        return function(*args)
    except Exception:
        return None


def algorithms_of(policy):
    """The algorithms of a policy by kind and name: functions of the names of files."""
    translate = RSEDeterministicTranslation
    paths = {
        name: (lambda scope, file, name=name: translate(rse_attributes={'lfn2pfn_algorithm': name}).path(scope, file))
        for name in ['hash', 'identity']
    }
    copies = {'def': lambda scope, name, dataset: NonDeterministicPFNAlgorithms.construct_non_deterministic_pfn_default(dataset, scope, name)}
    scopes = {
        'def': lambda name, known: ScopeExtractionAlgorithms.extract_scope_default(name, known)[0],
        'dirac': lambda name, known: ScopeExtractionAlgorithms.extract_scope_dirac(name, known)[0],
    }

    def path_of(function):
        return lambda scope, name: function(scope, name, 'X', {}, {'extended_attributes': None})

    def copy_of(function):
        return lambda scope, name, dataset: function(dataset, scope, name)

    def scope_of(function):
        return lambda name, known: function(name, known)[0]

    if policy == 'igwn':
        client = types.ModuleType('rucio.client.client')
        client.Client = None
        sys.modules.setdefault('rucio.client.client', client)
        # The package asks for names that Rucio has moved since.
        protocol = types.ModuleType('rucio.rse.protocols.protocol')
        protocol.RSEDeterministicTranslation = translate
        sys.modules['rucio.rse.protocols.protocol'] = protocol
        sys.modules.setdefault('rucio.rse.rsemanager', types.ModuleType('rucio.rse.rsemanager'))
        igwn = importlib.import_module('igwn_lfn2pfn')
        # The function that asks a server for metadata and replicas has no answer here.
        paths.update({name: path_of(getattr(igwn, name)) for name in ['igwn', 'kagra_offline', 'ligo_legacy']})
    if policy in ('belleii', 'ctao', 'eic', 'jlab', 'cms', 'lsst', 'atlas'):
        package = PACKAGES[policy]

        def module(name):
            return importlib.import_module(package + '.' + name)

        if policy == 'belleii':
            path = path_of(module('lfn2pfn').BelleIIRSEDeterministicTranslation.lfn2pfn_belleii)
            copy = copy_of(module('non_deterministic_pfn').BelleIINonDeterministicPFNAlgorithm.construct_non_deterministic_pfn_belleii)
            scope = scope_of(module('scope').BelleIIScopeExtractionAlgorithm.extract_scope_belleii)
            paths.update({'belleii': path, 'belleii_lfn2pfn': path})
            copies.update({'belleii': copy, 'belleii_non_deterministic_pfn': copy})
            scopes.update({'belleii': scope, 'belleii_extract_scope': scope})
        elif policy == 'ctao':
            paths['ctao_bdms'] = path_of(module('lfn2pfn').lfn2pfn)
            scopes['ctao_bdms'] = scope_of(module('scope').scope)
        elif policy == 'eic':
            paths['eic'] = path_of(module('lfn2pfn').eicRSEDeterministicTranslation.lfn2pfn_eic)
            copies['eic'] = copy_of(module('non_deterministic_pfn').eicNonDeterministicPFNAlgorithm.construct_non_deterministic_pfn_eic)
            scopes['eic'] = scope_of(module('scope').eicScopeExtractionAlgorithm.extract_scope_eic)
        elif policy == 'jlab':
            paths['jlab'] = path_of(module('lfn2pfn').JlabRSEDeterministicTranslation.lfn2pfn_jlab)
            scopes['jlab'] = scope_of(module('scope').JlabScopeExtractionAlgorithm.extract_scope_jlab)
        elif policy == 'cms':
            paths['cmstfc'] = path_of(module('algorithms.lfn2pfn').cmstfc)
        elif policy == 'lsst':
            rubin = importlib.import_module(package)
            paths['lsst_butler'] = path_of(rubin.lfn2pfn_lsst_butler)
            copies['lsst_usdftape'] = copy_of(rubin.construct_surl_lsst_usdftape)
        elif policy == 'atlas':
            atlas = module('non_deterministic_pfn').ATLASNonDeterministicPFNAlgorithm
            tier0 = copy_of(atlas.construct_non_deterministic_pfn_t0)
            copies.update({'T0': tier0, 'atlas_t0_non_deterministic_pfn': tier0})
            # The original calls functions that it cannot see; it is meant to be Rucio's.
            copies.update({'DQ2': copies['def'], 'atlas_dq2_non_deterministic_pfn': copies['def']})
    return paths, copies, scopes


def answer(questions):
    policy = questions['policy']
    module = schema_of(policy)
    # What a package leaves out is Rucio's.
    schemas.schema_modules['def'] = module
    value = schemas.get_schema_value
    validators = {kind: validator_of(value(KINDS[kind])) for kind in questions['names']}
    names = {kind: [refusal(text, validators[kind]) for text in texts] for kind, texts in questions['names'].items()}
    did_validator = validator_of(value('DID'))
    dids = [did_refusal(module, did_validator, *did) for did in questions['dids']]
    paths, copies, scopes = algorithms_of(policy)

    def all_of(asked, functions, *more):
        return {
            name: [attempt(functions[name], *(args if isinstance(args, list) else [args]), *more) for args in inputs]
            if name in functions else None
            for name, inputs in asked.items()
        }

    return {
        'names': names,
        'dids': dids,
        'paths': all_of(questions['paths'], paths),
        'copyPaths': all_of(questions['copyPaths'], copies),
        'scopes': all_of(questions['scopes'], scopes, questions['known']),
    }


if __name__ == '__main__':
    sys.path += sys.argv[3:]
    with open(sys.argv[1]) as source:
        asked = json.load(source)
    try:
        result = answer(asked)
    except ModuleNotFoundError as error:
        if error.name not in PACKAGES.values():
            raise
        result = {'missing': error.name}
    with open(sys.argv[2], 'w') as target:
        json.dump(result, target)
