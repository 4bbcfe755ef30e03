import type { Browser, Page } from "playwright-core";
import { atMost, type Figure, median } from "../figures.ts";
import { openConsole, type Place, rowsInView, until } from "./place.ts";
import { moreSound, placesOf, recordOutput, soundOf } from "./recorder.ts";

const TAP_MS = 100;
const SWITCH_MS = 10;
const ZOOM_MS = 4;
/** Of the recorder: one call of its worklet. */
const BLOCK = 128;

/** Notes when a button is pressed and when an element sounds. */
const LISTEN = `
  const play = HTMLMediaElement.prototype.play;
  addEventListener("click", () => { window.tappedAt = performance.now(); }, true);
  HTMLMediaElement.prototype.play = function () {
    this.addEventListener("playing", () => { window.soundedAt ??= performance.now(); }, { once: true });
    return play.call(this);
  };`;

/** From a tap on a row's button to its sound, the file in the browser's cache. */
export async function tapToSound(browser: Browser, place: Place, taps: number): Promise<Figure> {
  const { page, close } = await openConsole(browser, place, { before: LISTEN });
  await page.goto("/library");
  await rowsInView(page);
  const times: number[] = [];
  for (let tap = 0; tap <= taps; tap++) {
    await page.evaluate("window.soundedAt = undefined");
    await page
      .getByRole("button", { name: `Play ${place.song.title}`, exact: true })
      .first()
      .click();
    await until(page, "window.soundedAt !== undefined");
    // The first tap fetches the file.
    if (tap > 0) times.push((await page.evaluate("window.soundedAt - window.tappedAt")) as number);
    await page
      .getByRole("button", { name: `Pause ${place.song.title}`, exact: true })
      .first()
      .click();
    await page.reload();
    await rowsInView(page);
  }
  await close();
  const ms = median(times);
  return {
    what: "tap to sound, file cached",
    figure: `${ms.toFixed(0)} ms`,
    yardstick: `slowest of ${taps} ${Math.max(...times).toFixed(0)} ms`,
    aim: atMost(ms, TAP_MS, "ms"),
  };
}

/** Switches between two versions while they play, as an AudioWorklet records it. */
export async function switching(browser: Browser, place: Place): Promise<Figure[]> {
  const { page, close } = await openConsole(browser, place);
  await page.goto(`/library/tracks/${place.song.id}?tab=versions`);
  await recordOutput(page);
  // The recorder's messages may wait behind the key: the clock says how far the sound has come.
  await page.evaluate(`addEventListener("keydown", ({ timeStamp }) => {
    const ago = (performance.now() - timeStamp) / 1000;
    (window.pressed ??= []).push((window.recordedBy.currentTime - ago) * window.recordedRate);
  }, true)`);
  await page.getByRole("checkbox", { name: "Compare Original" }).check();
  await page.getByRole("checkbox", { name: "Compare v2" }).check();
  await page.getByRole("button", { name: "Play comparison" }).click();
  await page.getByRole("button", { name: "Pause comparison" }).waitFor();
  for (let turn = 0; turn < 3; turn++) {
    await moreSound(page, 0.5);
    await page.keyboard.press("x");
  }
  await moreSound(page, 0.5);
  const { heard, file } = await soundOf(page, await playbackPath(page, place));
  const [pressed, rateHz] = (await page.evaluate(`[window.pressed.map((frame) => {
    // Nothing is recorded while nothing is connected.
    const block = window.recordedAt.findIndex((at) => at + ${BLOCK} > frame);
    return Math.round(block * ${BLOCK} + Math.max(0, frame - window.recordedAt[block]));
  }), window.recordedRate]`)) as [number[], number];
  await close();

  const places = placesOf(heard, file, Math.round(rateHz / 20)).filter(({ likeness }) => likeness > 0.999);
  const lags = places.map(({ lag }) => lag);
  const apart = Math.max(...lags) - Math.min(...lags);
  const turns = places.filter(({ gain }, at) => Math.sign(gain) !== Math.sign(places[at - 1]?.gain ?? gain));
  if (turns.length !== pressed.length)
    throw new Error(`${turns.length} of ${pressed.length} switches were heard`);
  const ms = median(pressed.map((at) => switchMs(heard, file, lags[0] ?? 0, at, rateHz)));
  return [
    {
      what: "A/B: samples apart, in a recording with three switches",
      figure: String(apart),
      aim: atMost(apart, 0, "samples"),
    },
    {
      what: "A/B: from the key to the other version",
      figure: `${ms.toFixed(1)} ms`,
      aim: atMost(ms, SWITCH_MS, "ms"),
    },
  ];
}

/** Milliseconds from a place in the recording to the place where its polarity turns. */
function switchMs(
  heard: Float32Array,
  file: Float32Array,
  lag: number,
  from: number,
  rateHz: number,
): number {
  const signAt = (at: number) => {
    let product = 0;
    for (let i = at; i < at + BLOCK; i++) product += (heard[i] ?? 0) * (file[i + lag] ?? 0);
    return Math.sign(product);
  };
  const before = signAt(from - BLOCK);
  for (let at = from; at < heard.length - BLOCK; at += BLOCK / 4)
    if (signAt(at) === -before) return ((at - from) * 1000) / rateHz;
  throw new Error("A switch was not heard");
}

async function playbackPath(page: Page, { song }: Place): Promise<string> {
  const answer = (await page.evaluate(
    `fetch("/app/tracks/${song.id}/versions").then((answer) => answer.json())`,
  )) as { data: { label: string | null; playbackUrl: string }[] };
  const original = answer.data.find(({ label }) => label === null);
  if (!original) throw new Error("There is no original version");
  const { pathname, search } = new URL(original.playbackUrl);
  return pathname + search;
}

/** The work of the main thread for one step of the wave's zoom: its handler, and the frame that follows. */
export async function zooming(browser: Browser, place: Place): Promise<Figure> {
  const { page, close } = await openConsole(browser, place);
  await page.goto(`/library/tracks/${place.song.id}`);
  await page.getByRole("button", { name: "Zoom in" }).waitFor();
  await page.waitForLoadState("networkidle");
  const times = (await page.evaluate(`(async () => {
    const named = (name) => document.querySelector('button[aria-label="' + name + '"]');
    const afterFrame = () => new Promise((done) => requestAnimationFrame((begin) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => done(performance.now() - begin);
      channel.port2.postMessage(0);
    }));
    const times = [];
    for (let step = 0; step < 24; step++) {
      const button = named(step % 8 < 5 ? "Zoom in" : "Zoom out");
      await new Promise(requestAnimationFrame);
      const startedAt = performance.now();
      button.click();
      await Promise.resolve();
      const handled = performance.now() - startedAt;
      times.push(handled + await afterFrame());
    }
    return times;
  })()`)) as number[];
  await close();
  const ms = median(times);
  return {
    what: "wave zoom, a step on the main thread",
    figure: `${ms.toFixed(1)} ms`,
    yardstick: `slowest ${Math.max(...times).toFixed(1)} ms`,
    aim: atMost(ms, ZOOM_MS, "ms"),
  };
}
