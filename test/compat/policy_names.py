"""What a user of an experiment does with the official client: python -m policy_names <names as JSON> <folder>."""
import json
import os
import sys

from rucio.client import Client
from rucio.client.downloadclient import DownloadClient
from rucio.client.uploadclient import UploadClient

names = json.loads(sys.argv[1])
folder = sys.argv[2]
client = Client()
scope, file, dataset, container, rse = (names[key] for key in ('scope', 'file', 'dataset', 'container', 'rse'))
done = {}

local = os.path.join(folder, 'content')
with open(local, 'w') as content:
    content.write('content')
UploadClient(client).upload([{'path': local, 'rse': rse, 'did_scope': scope, 'did_name': file}])
client.add_dataset(scope, dataset)
client.add_container(scope, container)
client.attach_dids(scope, dataset, [{'scope': scope, 'name': file}])
client.attach_dids(scope, container, [{'scope': scope, 'name': dataset}])
client.add_replication_rule([{'scope': scope, 'name': dataset}], copies=1, rse_expression=rse, activity=names['activity'])
done['content'] = [line['name'] for line in client.list_content(scope, container)]
done['files'] = [line['name'] for line in client.list_files(scope, container)]
done['parents'] = [line['name'] for line in client.list_parent_dids(scope, dataset)]
done['found'] = list(client.list_dids(scope, {'name': file[:5] + '*'}, did_type='file'))
done['rules'] = [(rule['name'], rule['activity'], rule['state']) for rule in client.list_did_rules(scope, dataset)]
done['rses'] = [list(line['rses']) for line in client.list_replicas([{'scope': scope, 'name': file}])]
done['metadata'] = client.get_metadata(scope, file)['bytes']
down = os.path.join(folder, 'down')
# The client makes no folders for names that hold slashes.
os.makedirs(os.path.dirname(os.path.join(down, file.lstrip('/'))))
got = DownloadClient(client).download_dids([{'did': f'{scope}:{file}', 'base_dir': down, 'no_subdir': True}])
done['downloaded'] = [open(path).read() for item in got for path in item['dest_file_paths']]
for rule in client.list_did_rules(scope, dataset):
    client.delete_replication_rule(rule['id'], purge_replicas=True)
client.detach_dids(scope, dataset, [{'scope': scope, 'name': file}])
client.set_metadata(scope, file, 'lifetime', -86400)
done['expired'] = client.get_did(scope, file)['expired_at'] is not None
print(json.dumps(done))
