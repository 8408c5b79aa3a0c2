#!/usr/bin/env bash
# Starts a server for the steps of a workflow that follow; action.yml runs it. The variables are those of the workflow.
set -euo pipefail
mkdir -p "$FOLDER"
cd "$FOLDER"
echo '{}' >package.json
npm install --no-audit --no-fund --loglevel=error "$PACKAGE"
# Under npm the server would end with its parent, which is this script.
unset npm_lifecycle_event
nohup node "$FOLDER/node_modules/dapple/packaging/main.js" start --in-memory --test-reset --port "$PORT_OF_SERVER" >server.log 2>&1 </dev/null &
server=$!
for _ in $(seq 600); do
  grep -q '^ready ' server.log && break
  kill -0 "$server" 2>/dev/null || break
  sleep 0.1
done
url=$(sed -n 's/^ready \([^ ]*\).*/\1/p' server.log)
if [ -z "$url" ]; then
  cat server.log
  exit 1
fi
cat >rucio.cfg <<CFG
[client]
rucio_host = $url
auth_host = $url
account = root
auth_type = userpass
username = ddmlab
password = secret
CFG
echo "url=$url" >>"$GITHUB_OUTPUT"
{
  echo "RUCIO_CONFIG=$FOLDER/rucio.cfg"
  echo "RUCIO_HOST=$url"
} >>"$GITHUB_ENV"
