#!/usr/bin/env bash
# Follows docs/how-to/lab-server.md, sections 1 to 4, line by line on a fresh machine: a container with systemd.
#   test/packaging/lab-server/follow.sh <image of a Debian 12 with systemd> [dist/dapple-0.1.0.tgz]
# Needs podman and openssl. The image is empty otherwise; its packages come from the mirrors that it names. PODMAN_RUN has more options of
# `podman run`, and PIP_CERT an authority for pip. The container stays for a look, and is named on the last line.
set -euo pipefail
here=$(cd "$(dirname "$0")/../../.." && pwd)
image=$1
package=$(realpath "${2:-$here/dist/dapple-0.1.0.tgz}")
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# The commands of the page. A person waits for the line `ready` in the journal, whose end never comes.
awk '/^## The year after/ { exit } /^```/ { inside = $0 == "```sh"; next } inside' "$here/docs/how-to/lab-server.md" |
  sed 's/^journalctl .*--follow$/sleep 6/; s/systemctl restart dapple$/& \&\& sleep 6/' > "$work/steps"
awk '/^```/ { inside = $0 == "```csv"; next } inside' "$here/docs/how-to/lab-server.md" > "$work/users.csv"
# What the page leaves to the reader: the certificate, before the server starts.
sed -i 's|^chgrp dapple /etc/dapple/\* && chmod 0640 /etc/dapple/\*$|cp /root/cert.pem /root/key.pem /etc/dapple/ \&\& &|' "$work/steps"
{ echo 'set -euxo pipefail; cd /root/lab-server'; cat "$work/steps"; } > "$work/steps.sh"
cat > "$work/check.sh" << 'END'
set -euo pipefail
systemctl is-active dapple
systemd-analyze security dapple --no-pager | tail -1
curl -sf https://catalogue.example.org/health
[ "$(stat -c %a /var/lib/dapple/catalogue)" = 700 ] && [ "$(stat -c %a /etc/dapple/root-password)" = 640 ]
password=$(sed -n 's/^alice: password of alice: //p' /root/steps.log)
curl -sfo /dev/null https://catalogue.example.org/auth/userpass -H 'X-Rucio-Account: alice' -H 'X-Rucio-Username: alice' -H "X-Rucio-Password: $password"
curl -sfo /dev/null https://catalogue.example.org/auth/userpass -H 'X-Rucio-Account: optics' -H 'X-Rucio-Username: alice' -H "X-Rucio-Password: $password"
runuser -u dapple -- dapple report --data /var/lib/dapple/catalogue --by group --by rse
echo 'alice logs in, for herself and for the group'
END
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=catalogue.example.org \
  -addext 'subjectAltName=DNS:catalogue.example.org' -keyout "$work/key.pem" -out "$work/cert.pem" 2> /dev/null

machine=$(podman ${PODMAN_GLOBAL:-} run --detach --systemd=always ${PODMAN_RUN:-} --add-host catalogue.example.org:127.0.0.1 "$image")
sleep 4
podman cp "$here/examples/lab-server" "$machine:/root/"
for file in "$package" "$work/users.csv"; do podman cp "$file" "$machine:/root/lab-server/"; done
for file in cert.pem key.pem steps.sh check.sh; do podman cp "$work/$file" "$machine:/root/"; done
# The authority is the certificate itself.
podman exec "$machine" sh -c 'cp /root/cert.pem /usr/local/share/ca-certificates/lab.crt && update-ca-certificates > /dev/null'
inside=(podman exec --env NODE_EXTRA_CA_CERTS=/root/cert.pem --env DEBIAN_FRONTEND=noninteractive
  --env "PIP_CERT=${PIP_CERT:-}" "$machine")
begun=$SECONDS
"${inside[@]}" bash -c 'bash /root/steps.sh > /root/steps.log 2>&1' || { "${inside[@]}" tail -20 /root/steps.log; exit 1; }
echo "followed in $((SECONDS - begun)) s"
"${inside[@]}" bash /root/check.sh
echo "container $machine"
