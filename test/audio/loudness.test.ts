import { describe, expect, test } from "bun:test";
import { kWeighting } from "../../src/audio/loudness/k-weighting.ts";
import { createLoudnessMeter, type Loudness } from "../../src/audio/loudness/loudness.ts";
import { joined, silence, sine } from "../support/signals.ts";

const RATE = 48_000;

type Step = readonly [seconds: number, dbfs: number];

/** Returns a 1 kHz tone whose peak level changes in steps. */
function tones(steps: readonly Step[], rate = RATE): Float32Array {
  return joined(...steps.map(([seconds, dbfs]) => sine(rate, seconds, 1000, 10 ** (dbfs / 20))));
}

function measure(planes: readonly Float32Array[], rate = RATE): Loudness {
  const meter = createLoudnessMeter({ sampleRateHz: rate, channels: planes.length });
  meter.push(planes, planes[0]?.length ?? 0);
  return meter.finish();
}

function measureStereo(steps: readonly Step[], rate = RATE): Loudness {
  const plane = tones(steps, rate);
  return measure([plane, plane], rate);
}

/** The tolerance of the meter's specification, LU. */
const expectNear = (value: number | null, expected: number, tolerance = 0.1) => {
  expect(value).not.toBeNull();
  expect(Math.abs((value ?? 0) - expected)).toBeLessThanOrEqual(tolerance);
};

describe("integrated loudness (EBU Tech 3341, table 1)", () => {
  test.each<[string, Step[], number]>([
    ["case 1: a tone at -23 dBFS", [[20, -23]], -23],
    ["case 2: a tone at -33 dBFS", [[20, -33]], -33],
    [
      "case 3: quiet ends fall to the relative gate",
      [
        [10, -36],
        [60, -23],
        [10, -36],
      ],
      -23,
    ],
    [
      "case 4: near-silence falls to the absolute gate",
      [
        [10, -72],
        [10, -36],
        [60, -23],
        [10, -36],
        [10, -72],
      ],
      -23,
    ],
    [
      "case 5: three levels within the gate",
      [
        [20, -26],
        [20.1, -20],
        [20, -26],
      ],
      -23,
    ],
  ])("%s", (_, steps, expected) => {
    expectNear(measureStereo(steps).integratedLufs, expected);
  });

  test("case 6: five channels, the surrounds weighted", () => {
    const planes = [-28, -28, -24, -30, -30].map((dbfs) => tones([[20, dbfs]]));
    expectNear(measure(planes).integratedLufs, -23);
  });

  test("an LFE channel is ignored", () => {
    const front = tones([[5, -23]]);
    const quiet = silence(RATE, 5);
    const lfe = sine(RATE, 5, 50, 1);

    expectNear(measure([front, front, quiet, lfe, quiet, quiet]).integratedLufs, -23);
  });

  test.each([8000, 22_050, 32_000, 44_100, 88_200, 96_000, 192_000])("is the same at %d Hz", (rate) => {
    expectNear(measureStereo([[4, -23]], rate).integratedLufs, -23);
  });

  test("one channel is 3 LU quieter than the same in two", () => {
    expectNear(measure([tones([[5, -23]])]).integratedLufs, -26.01);
  });
});

describe("momentary and short-term loudness (EBU Tech 3341)", () => {
  test("cases 1 and 2 read the same as integrated", () => {
    const { momentaryMaxLufs, shortTermMaxLufs } = measureStereo([[20, -33]]);
    expectNear(momentaryMaxLufs, -33);
    expectNear(shortTermMaxLufs, -33);
  });

  test("case 9: three-second cycles read -23 short-term", () => {
    const cycle: Step[] = [
      [1.34, -20],
      [1.66, -30],
    ];
    expectNear(measureStereo([...cycle, ...cycle, ...cycle, ...cycle, ...cycle]).shortTermMaxLufs, -23);
  });

  test("case 12: 400 ms cycles read -23 momentary", () => {
    const cycles = Array.from({ length: 25 }, (): Step[] => [
      [0.18, -20],
      [0.22, -30],
    ]);
    expectNear(measureStereo(cycles.flat()).momentaryMaxLufs, -23);
  });

  test.each(Array.from({ length: 20 }, (_, segment) => segment))(
    "case 10, segment %d: three seconds are found wherever they start",
    (segment) => {
      const plane = joined(silence(RATE, 0.15 * segment), tones([[3, -23]]), silence(RATE, 1));
      expectNear(measure([plane, plane]).shortTermMaxLufs, -23);
    },
  );

  test.each(Array.from({ length: 20 }, (_, segment) => segment))(
    "case 11, segment %d: three seconds within a running programme",
    (segment) => {
      const level = -38 + segment;
      const plane = joined(
        silence(RATE, 0.15 * segment),
        tones([[3, level]]),
        silence(RATE, 3 - 0.15 * segment),
      );
      expectNear(measure([plane, plane]).shortTermMaxLufs, level);
    },
  );

  test.each(Array.from({ length: 20 }, (_, segment) => segment))(
    "case 13, segment %d: 400 ms are found wherever they start",
    (segment) => {
      const plane = joined(silence(RATE, 0.02 * segment), tones([[0.4, -23]]), silence(RATE, 1));
      expectNear(measure([plane, plane]).momentaryMaxLufs, -23);
    },
  );

  test.each(Array.from({ length: 20 }, (_, segment) => segment))(
    "case 14, segment %d: 400 ms within a running programme",
    (segment) => {
      const level = -38 + segment;
      const plane = joined(
        silence(RATE, 0.02 * segment),
        tones([[0.4, level]]),
        silence(RATE, 0.4 - 0.02 * segment),
      );
      expectNear(measure([plane, plane]).momentaryMaxLufs, level);
    },
  );
});

describe("loudness range (EBU Tech 3342, table 1)", () => {
  test.each<[string, Step[], number]>([
    [
      "case 1",
      [
        [20, -20],
        [20, -30],
      ],
      10,
    ],
    [
      "case 2",
      [
        [20, -20],
        [20, -15],
      ],
      5,
    ],
    [
      "case 3",
      [
        [20, -40],
        [20, -20],
      ],
      20,
    ],
    [
      "case 4",
      [
        [20, -50],
        [20, -35],
        [20, -20],
        [20, -35],
        [20, -50],
      ],
      15,
    ],
  ])("%s", (_, steps, expected) => {
    expectNear(measureStereo(steps).rangeLu, expected, 1);
  });
});

describe("nothing to measure", () => {
  test("silence has no loudness", () => {
    const plane = silence(RATE, 5);
    expect(measure([plane, plane])).toEqual({
      integratedLufs: null,
      rangeLu: null,
      momentaryMaxLufs: null,
      shortTermMaxLufs: null,
    });
  });

  test("a sound under 400 ms has no loudness, one under 3 s no range", () => {
    expect(measureStereo([[0.39, -20]])).toMatchObject({ integratedLufs: null, momentaryMaxLufs: null });
    const oneSecond = measureStereo([[1, -20]]);
    expectNear(oneSecond.integratedLufs, -20);
    expect(oneSecond).toMatchObject({ rangeLu: null, shortTermMaxLufs: null });
  });
});

test("the filter at 48 kHz is the one the standard tabulates", () => {
  const { shelf, highPass } = kWeighting(48_000);

  expect(shelf.b0).toBeCloseTo(1.53512485958697, 8);
  expect(shelf.b1).toBeCloseTo(-2.69169618940638, 8);
  expect(shelf.b2).toBeCloseTo(1.19839281085285, 8);
  expect(shelf.a1).toBeCloseTo(-1.69065929318241, 8);
  expect(shelf.a2).toBeCloseTo(0.73248077421585, 8);
  expect(highPass.a1).toBeCloseTo(-1.99004745483398, 8);
  expect(highPass.a2).toBeCloseTo(0.99007225036621, 8);
});
