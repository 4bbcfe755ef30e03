"""Prints, for each file named on standard input, what madmom says of its bar lines: one line of JSON per file.

madmom 0.16.1 from PyPI: `pip install "numpy<1.24" scipy cython mido`, then `pip install --no-build-isolation madmom`; in
Python 3.10 or later, `madmom/processors.py` must take MutableSequence from `collections.abc`.
"""
import json
import sys

import numpy

for name, kind in (("float", float), ("int", int), ("bool", bool), ("object", object)):
    if name not in numpy.__dict__:
        setattr(numpy, name, kind)

from madmom.features.downbeats import DBNDownBeatTrackingProcessor, RNNDownBeatProcessor  # noqa: E402

METRES = {3: "3/4", 4: "4/4", 5: "5/4", 6: "6/8", 7: "7/8", 2: "6/8"}
hear = RNNDownBeatProcessor()
follow = DBNDownBeatTrackingProcessor(beats_per_bar=[3, 4, 5, 6, 7], fps=100)
for line in sys.stdin:
    beats = follow(hear(line.strip()))
    most = int(max(beats[:, 1])) if len(beats) else 0
    downbeats = [round(float(at), 3) for at, place in beats if place == 1]
    print(json.dumps({"metre": METRES.get(most), "downbeats": downbeats}), flush=True)
