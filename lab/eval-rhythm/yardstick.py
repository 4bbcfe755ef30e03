"""Prints what the analysers that this Python has say of each file named on standard input: one line of JSON per file, in which
each has its answers. They are yardsticks of development only, and nothing of them is in the product.

essentia (AGPL; no network is in its package, so it tags nothing): `pip install essentia`. Its metre is that of Beatogram and Meter, its borders of
sections those of SBic over MFCCs at its defaults.
madmom 0.16.1 (its networks are CC BY-NC-SA): `pip install "numpy<1.24" scipy cython mido`, then `pip install --no-build-isolation
madmom`; in Python 3.10 or later, `madmom/processors.py` must take MutableSequence from `collections.abc`. Its tempo is told from what its
network of bar lines hears, so that each clip is heard by it once, and its key by its network of keys.
"""
import json
import sys

import numpy

for name, kind in (("float", float), ("int", int), ("bool", bool), ("object", object)):
    if name not in numpy.__dict__:
        setattr(numpy, name, kind)

METRES = {3: "3/4", 4: "4/4", 5: "5/4", 6: "6/8", 7: "7/8", 2: "6/8"}
TONICS = {"Db": "C#", "D#": "Eb", "Gb": "F#", "G#": "Ab", "A#": "Bb"}


def key_name(tonic, mode):
    return f"{TONICS.get(tonic, tonic)} {mode}"


def by_essentia():
    import essentia
    import essentia.standard as es

    essentia.log.infoActive = essentia.log.warningActive = False

    def metre_of(sound, ticks):
        if len(ticks) < 8:
            return None
        beats = es.BeatsLoudness(beats=ticks, frequencyBands=[20, 150, 400, 3200, 7000, 22000])
        loudness, bands = beats(sound)
        return METRES.get(int(round(es.Meter()(es.Beatogram()(loudness, bands)))))

    def borders_of(sound):
        window, spectrum, mfcc = es.Windowing(type="hann"), es.Spectrum(), es.MFCC()
        frames = es.FrameGenerator(sound, frameSize=2048, hopSize=1024)
        coefficients = [mfcc(spectrum(window(frame)))[1] for frame in frames]
        segments = es.SBic()(essentia.array(coefficients).T)
        return [round(float(frame) * 1024 / 44100, 2) for frame in segments[1:-1]]

    def answers(path):
        sound = es.MonoLoader(filename=path, sampleRate=44100)()
        said = {}
        for method in ("multifeature", "degara"):
            bpm, ticks, *_ = es.RhythmExtractor2013(method=method)(sound)
            said[f"essentia {method}"] = {"bpm": float(bpm)}
            if method == "multifeature":
                said[f"essentia {method}"]["metre"] = metre_of(sound, ticks)
        said["essentia percival"] = {"bpm": float(es.PercivalBpmEstimator()(sound))}
        tonic, mode, _ = es.KeyExtractor(profileType="bgate")(sound)
        said["essentia bgate"] = {"key": key_name(tonic, mode)}
        said["essentia sbic"] = {"borders": borders_of(sound)}
        return said

    return answers


def by_madmom():
    from madmom.features.downbeats import DBNDownBeatTrackingProcessor, RNNDownBeatProcessor
    from madmom.features.key import CNNKeyRecognitionProcessor, key_prediction_to_label
    from madmom.features.tempo import TempoEstimationProcessor

    hear, hear_key = RNNDownBeatProcessor(), CNNKeyRecognitionProcessor()
    follow = DBNDownBeatTrackingProcessor(beats_per_bar=[3, 4, 5, 6, 7], fps=100)
    count = TempoEstimationProcessor(fps=100)

    def answers(path):
        activations = hear(path)
        beats = follow(activations)
        most = int(max(beats[:, 1])) if len(beats) else 0
        return {
            "madmom": {
                "metre": METRES.get(most),
                "downbeats": [round(float(at), 3) for at, place in beats if place == 1],
                "bpm": float(count(activations.sum(axis=1))[0][0]),
                "key": key_name(*key_prediction_to_label(hear_key(path)).split(" ")),
            }
        }

    return answers


def installed():
    for make in (by_essentia, by_madmom):
        try:
            yield make()
        except ImportError:
            pass


analysers = list(installed())
for line in sys.stdin:
    said = {}
    for answers in analysers:
        said.update(answers(line.strip()))
    print(json.dumps(said), flush=True)
