"""Prints what mutagen reads of each file: a line of JSON with lists of texts by name, and lengths of pictures."""

import base64
import hashlib
import json
import sys

import mutagen
from mutagen.flac import Picture


def texts(value):
    if isinstance(value, (list, tuple)) and not isinstance(value, bytes):
        return [text for part in value for text in texts(part)] if not is_pair(value) else ["/".join(map(str, value))]
    if isinstance(value, bytes):
        return [value.decode("utf-8", "replace")]
    return [str(value)]


def is_pair(value):
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(part, int) for part in value)


def hashed(data):
    return hashlib.sha256(bytes(data)).hexdigest()


def read(path):
    values = {}
    file = mutagen.File(path)
    tags = file.tags if file is not None else None
    for name, value in tags.items() if tags is not None else []:
        if name.startswith("APIC"):
            values["picture"] = [hashed(value.data)]
        elif name == "covr":
            values["picture"] = [hashed(part) for part in value]
        elif name == "metadata_block_picture":
            values["picture"] = [hashed(Picture(base64.b64decode(part)).data) for part in value]
        elif name.startswith("SYLT"):
            values["SYLT"] = ["[%d]%s" % (at, text) for text, at in value.text]
        elif name.startswith("USLT"):
            values["USLT"] = [value.text]
        else:
            values[name] = texts(getattr(value, "text", value))
    for picture in getattr(file, "pictures", []):
        values["picture"] = [hashed(picture.data)]
    return values


for path in sys.stdin.read().splitlines():
    try:
        print(json.dumps(read(path)))
    except Exception as error:
        print(json.dumps({"error": [repr(error)]}))
