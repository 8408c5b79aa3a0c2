"""The Rucio service of WMCore, the workload management of CMS. Names are as the generic schema of Rucio allows them."""

from calls import call, raises
from rucio.common.exception import RSENotFound
from WMCore.Services.Rucio.Rucio import Rucio, WMRucioException

service = Rucio('root')
files = [{'name': name, 'bytes': 5, 'adler32': '0cc737eb', 'state': 'A'} for name in ('f1', 'f2')]


def names(found):
    return sorted(line['name'] for line in found)


call('pingServer', service.pingServer, lambda answer: answer['version'])
call('whoAmI', service.whoAmI, lambda answer: answer['account'] == 'root')
call('getAccount', lambda: service.getAccount('root'), lambda answer: answer['status'] == 'ACTIVE')
call('getAccount, nobody', lambda: service.getAccount('nobody'), lambda answer: answer is None)
call('getAccountLimits', lambda: service.getAccountLimits('root'), lambda limits: set(limits) == {'ONE', 'TWO'})
call('createContainer', lambda: service.createContainer('year'), lambda made: made is True)
call('createContainer, known', lambda: service.createContainer('year'), lambda made: made is True)
call('createBlock', lambda: service.createBlock('block', attach=False), lambda made: made is True)
call('attachDIDs', lambda: service.attachDIDs(None, 'year', 'block'), lambda made: made is True)
call('attachDIDs, twice', lambda: service.attachDIDs(None, 'year', 'block'), lambda made: made is True)
call('createReplicas', lambda: service.createReplicas('ONE', files, 'block'), lambda made: made is True)
call('createReplicas, twice', lambda: service.createReplicas('ONE', files[0], 'block'), lambda made: made is True)
call('getBlocksInContainer', lambda: service.getBlocksInContainer('year'), lambda found: found == ['block'])
call('isContainer', lambda: (service.isContainer('year'), service.isContainer('block')), lambda found: found == (True, False))
call('getDID', lambda: service.getDID('block'), lambda did: did['type'] == 'DATASET' and did['length'] == 2)
call('didExist', lambda: (service.didExist('block'), service.didExist('none')), lambda found: found == (True, False))
call('listContent', lambda: service.listContent('block'), lambda found: names(found) == ['f1', 'f2'])
call('listParentDIDs', lambda: service.listParentDIDs('block'), lambda found: names(found) == ['year'])
call('getPFN', lambda: service.getPFN('ONE', 'f1'), lambda found: found['f1'].startswith('file://localhost'))
call('getPFN, unknown RSE', lambda: raises(RSENotFound, lambda: service.getPFN('NONE', 'f1')), lambda missing: missing)
rule = call(
    'createReplicationRule',
    lambda: service.createReplicationRule('year', 'ONE', asynchronous=False, comment='night', meta={'a': 1}),
    lambda ids: len(ids) == 1,
)
call('createReplicationRule, twice', lambda: service.createReplicationRule('year', 'ONE'), lambda ids: ids == rule)
call('getRule', lambda: service.getRule(rule[0]), lambda found: found['state'] == 'OK' and found['comments'] == 'night')
call('listDataRules', lambda: service.listDataRules('year', account='root'), lambda found: [one['id'] for one in found] == rule)
call('listDataRulesHistory', lambda: service.listDataRulesHistory('year'), lambda found: found[0]['rule_id'] == rule[0])
call(
    'listRuleHistory',
    lambda: service.listRuleHistory([{'scope': 'cms', 'name': 'year'}]),
    lambda found: found[0]['did_hist'][0]['rule_id'] == rule[0],
)
call('updateRule', lambda: service.updateRule(rule[0], {'comment': 'day'}), lambda made: made is True)
call(
    'getReplicaInfoForBlocks',
    lambda: service.getReplicaInfoForBlocks(dataset='year'),
    lambda found: found == [{'name': 'block', 'replica': ['ONE']}],
)
call(
    'getReplicaInfoForBlocks, deep',
    lambda: service.getReplicaInfoForBlocks(block=['block'], deep=True),
    lambda found: found == [{'name': 'block', 'replica': ['ONE']}],
)
call('getParentContainerRules', lambda: service.getParentContainerRules(name='block'), lambda found: found == rule)
call('getDataLockedAndAvailable', lambda: service.getDataLockedAndAvailable(name='block'), lambda found: found == ['ONE'])
call(
    'getContainerLockedAndAvailable',
    lambda: service.getContainerLockedAndAvailable(name='year', account='root'),
    lambda found: found == ['ONE'],
)
call('getPileupLockedAndAvailable', lambda: service.getPileupLockedAndAvailable('year', 'root'), lambda found: 'ONE' in str(found))
call('evaluateRSEExpression', lambda: service.evaluateRSEExpression('ANY=true'), lambda found: found == ['ONE'])
call('requiresApproval', lambda: service.requiresApproval('ONE'), lambda needed: not needed)
call('getAccountUsage', lambda: service.getAccountUsage('root', 'ONE'), lambda found: found[0]['bytes'] == 10)
call('getRSEUsage', lambda: list(service.getRSEUsage('ONE')), lambda found: found[0]['rse'] == 'ONE')
call(
    'moveReplicationRule',
    lambda: raises(WMRucioException, lambda: service.moveReplicationRule(rule[0], 'TWO', 'root')),
    lambda refused: refused,
    differs='it gives the account where Rucio takes options: 400, where Rucio fails with 500',
)
call(
    'moveReplicationRule, nothing',
    lambda: raises(WMRucioException, lambda: service.moveReplicationRule('0' * 32, 'TWO', 'root')),
    lambda refused: refused,
)
call('closeBlockContainer', lambda: service.closeBlockContainer('block'), lambda closed: closed is True)
call('deleteRule', lambda: service.deleteRule(rule[0]), lambda made: made is True)
