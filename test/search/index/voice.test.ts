import { expect, test } from "bun:test";
import { voiceOf } from "../../../src/modules/search/search/index/voice.ts";

const NOTHING = {
  isTaggedInstrumental: false,
  isTaggedVocal: false,
  hasLyrics: false,
  voiceLikelihood: null,
  durationSec: 180,
};

test.each([
  ["nothing is known", {}, null],
  ["a vocal tag is written", { isTaggedVocal: true, voiceLikelihood: 0 }, 1],
  ["Instrumental is written", { isTaggedInstrumental: true, hasLyrics: true, voiceLikelihood: 1 }, 0],
  [
    "the tags contradict each other",
    { isTaggedInstrumental: true, isTaggedVocal: true, hasLyrics: true },
    null,
  ],
  ["there are lyrics", { hasLyrics: true, voiceLikelihood: 0 }, 1],
  ["a voice is certainly heard", { voiceLikelihood: 0.9 }, 1],
  ["a voice is perhaps heard", { voiceLikelihood: 0.89 }, null],
  ["certainly no voice is heard", { voiceLikelihood: 0.1 }, 0],
  ["perhaps no voice is heard", { voiceLikelihood: 0.11 }, null],
  ["no voice is heard in a snippet", { voiceLikelihood: 0, durationSec: 29 }, null],
])("a track has vocals, has none, or is unknown when %s", (_, facts, expected) => {
  expect(voiceOf({ ...NOTHING, ...facts })).toBe(expected as never);
});
