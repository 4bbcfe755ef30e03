"""Reads the files of read-markers.ts with libraries that had no part in writing them: python read.py FOLDER."""
import csv, hashlib, json, subprocess, sys
import mido, soundfile
from wavinfo import WavInfoReader

folder = sys.argv[1]
wanted = json.load(open(f"{folder}/wanted.json", encoding="utf-8"))
wrong = 0


def tell(file, reader, **found):
    global wrong
    wrong += sum(value is False for value in found.values())
    print(json.dumps({"file": file, "reader": reader, **found}, ensure_ascii=False))


def sound_of(path):
    frames, rate = soundfile.read(path, dtype="int32")
    return hashlib.sha256(frames.tobytes()).hexdigest(), rate


for name in ("plain", "odd", "rf64", "twice"):
    path = f"{folder}/{name}-notes.wav"
    (before, rate), (after, _) = sound_of(f"{folder}/{name}.wav"), sound_of(path)
    tell(f"{name}-notes.wav", "libsndfile", sameSound=before == after)

    cues = WavInfoReader(path, info_encoding="utf-8").cues
    points = {cue.name: cue.sample_offset for cue in cues.cues}
    texts = {each["number"]: cues.label_and_note(each["number"]) for each in wanted}
    tell(
        f"{name}-notes.wav",
        "wavinfo",
        points=len(points),
        frames=all(points.get(each["number"]) == round(each["atSec"] * rate) for each in wanted),
        names=all(texts[each["number"]][0] == each["name"] for each in wanted),
        texts=all(texts[each["number"]][1] == each["text"] for each in wanted),
        ranges=all(
            (cues.range(each["number"]) or None)
            == (None if each["endSec"] is None else round((each["endSec"] - each["atSec"]) * rate))
            for each in wanted
        ),
    )

    probe = ["ffprobe", "-v", "error", "-show_chapters", "-of", "json", path]
    chapters = json.loads(subprocess.run(probe, capture_output=True, check=True).stdout)["chapters"]
    tell(
        f"{name}-notes.wav",
        "ffprobe",
        chapters=len(chapters),
        titles=[each["tags"]["title"] for each in chapters] == [each["name"] for each in wanted],
        worstMs=round(max(abs(float(c["start_time"]) - w["atSec"]) for c, w in zip(chapters, wanted)) * 1000, 3),
    )

moments = sorted(
    [(each["atSec"], "") for each in wanted if each["endSec"] is None]
    + [(each["atSec"], "[") for each in wanted if each["endSec"] is not None]
    + [(each["endSec"], "]") for each in wanted if each["endSec"] is not None]
)
found, at = [], 0
for event in mido.MidiFile(f"{folder}/notes.mid"):
    at += event.time
    if event.type == "marker":
        found.append((at, event.text))
tell(
    "notes.mid",
    "mido",
    markers=[text for _, text in found],
    ranges=[text[:1] if text[:1] in "[]" else "" for _, text in found] == [kind for _, kind in moments],
    worstMs=round(max(abs(one - other) for (one, _), (other, _) in zip(found, moments)) * 1000, 3),
)


def seconds(text):
    return sum(float(part) * 60**power for power, part in enumerate(reversed(text.split(":"))))


def rows(name, **form):
    return list(csv.reader(open(f"{folder}/{name}", encoding="utf-8", newline=""), **form))


def near(text, value):
    return abs(seconds(text) - value) <= 0.000501


reaper = rows("reaper.csv")[1:]
tell(
    "reaper.csv",
    "csv",
    names=[row[1] for row in reaper] == [each["name"] for each in wanted],
    starts=all(near(row[2], each["atSec"]) for row, each in zip(reaper, wanted)),
    ends=all(row[3] == "" if each["endSec"] is None else near(row[3], each["endSec"]) for row, each in zip(reaper, wanted)),
)
audition = rows("audition.csv", delimiter="\t")[1:]
tell(
    "audition.csv",
    "csv",
    names=[row[0] for row in audition] == [each["name"] for each in wanted],
    texts=[row[5] for row in audition] == [each["text"] for each in wanted],
    starts=all(near(row[1], each["atSec"]) for row, each in zip(audition, wanted)),
)
audacity = rows("audacity.txt", delimiter="\t", quoting=csv.QUOTE_NONE)
tell(
    "audacity.txt",
    "csv",
    names=[row[2] for row in audacity] == [each["name"] for each in wanted],
    times=[(float(row[0]), float(row[1])) for row in audacity]
    == [(each["atSec"], each["atSec"] if each["endSec"] is None else each["endSec"]) for each in wanted],
)
table = rows("table.csv")
tell(
    "table.csv",
    "csv",
    columns=table[0] == "version start end author state text replies".split(),
    texts=[row[5].removeprefix("'") for row in table[1:]] == [each["name"] for each in wanted],
    harmless=not any(cell[:1] in tuple("=+-@\t\r") for row in table for cell in row if cell),
)
sys.exit(1 if wrong else 0)
