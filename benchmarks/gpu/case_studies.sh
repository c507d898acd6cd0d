#!/bin/bash
# Everything that is measured on a GPU, in one command of under eight minutes:
#
#     bash benchmarks/gpu/case_studies.sh [OUT] [--seconds S] [--small] [--only STUDY ...]
#
# What is compared is prepared before, where there is a network: python benchmarks/gpu/case_studies.py prepare.
# It lies in .work/case_studies, which git ignores: carry that folder to a machine that is bare. There, OUT is
# given by the variable of that name, or is build/case_studies. Without a GPU all of it runs on the simulated device,
# where counts and equality hold and times do not. PYTHON names the interpreter that has torch.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PYTHONPATH="$PWD${PYTHONPATH:+:$PYTHONPATH}" PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
if [[ $# -gt 0 && $1 != -* ]]; then OUT=$1; shift; fi
OUT=${OUT:-build/case_studies}
status=0
"${PYTHON:-python3}" benchmarks/gpu/case_studies.py run "$OUT" "$@" || status=$?
if [[ -f "$OUT/results.jsonl" ]]; then
  "${PYTHON:-python3}" benchmarks/gpu/case_studies.py page "$OUT/results.jsonl"
fi
exit $status
