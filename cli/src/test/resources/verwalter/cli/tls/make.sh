#!/bin/sh
# Makes the certificates of ServerAccessTest anew, in this directory. Needs OpenSSL 3.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# authority NAME KEY: an authority that signs itself
authority() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 \
    -subj "/CN=$1" -addext basicConstraints=critical,CA:TRUE -keyout "$2" -out "$1.pem"
}

# certificate NAME END NAMES: a certificate of the authority, from 2025 to END, for NAMES
certificate() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
    -subj "/CN=$1" -keyout "$1.key" -out "$work/request"
  printf '[ca]\ndefault_ca=one\n[one]\ndatabase=%s/index\nserial=%s/serial\npolicy=any\ndefault_md=sha256\n[any]\ncommonName=supplied\n[names]\nsubjectAltName=%s\n' \
    "$work" "$work" "$3" >"$work/config"
  : >"$work/index"
  openssl ca -batch -notext -create_serial -config "$work/config" -extensions names \
    -cert authority.pem -keyfile "$work/authority.key" -outdir "$work" \
    -startdate 20250101000000Z -enddate "$2" -in "$work/request" -out "$1.pem"
}

authority authority "$work/authority.key"
authority stranger "$work/stranger.key"
certificate server 21250101000000Z IP:127.0.0.1,DNS:localhost
certificate expired 20260101000000Z IP:127.0.0.1,DNS:localhost
certificate elsewhere 21250101000000Z DNS:elsewhere
certificate client 21250101000000Z DNS:client
