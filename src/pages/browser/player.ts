import { announceTo } from "../playback/media-session.ts";
import { WORDS } from "../playback/recovery.ts";
import { PENDING } from "../player/words.ts";
import { enableAnswers, enableHearing } from "./answers.ts";
import { enableComments, offerTracks, showPlace } from "./comments.ts";
import { byId, findById } from "./dom.ts";
import { createDots } from "./dots.ts";
import { createGrowing, growOnScroll } from "./growing.ts";
import { listenToKeys } from "./keys.ts";
import { createLyrics } from "./lyrics.ts";
import { NOT_READY, watchPending } from "./pending.ts";
import { createPlayback, type Playback } from "./playback.ts";
import { readQueue, readTracks, type Track } from "./queue.ts";
import { tellHeard, tellSeen } from "./told.ts";
import { bindVolume } from "./volume.ts";
import { createWave } from "./wave.ts";

const seenPath = findById("page")?.dataset.seen;
if (seenPath !== undefined) tellSeen(seenPath);
const [first, ...others] = readQueue();
if (first && findById("player")) start([first, ...others]);

/** Starts the player on the page of a link. */
function start(queue: [Track, ...Track[]]): void {
  const wave = createWave(queue[0]);
  const dots = createDots((sec) => playback.play(queue.indexOf(playback.current()), sec));
  const lyrics = createLyrics((track, sec) => playback.play(queue.indexOf(track), sec));
  let shown: Track | undefined;
  let wasPlaying = false;
  const update = () => {
    const track = playback.current();
    wave.setTime(playback.elapsedSec(), playback.durationSec());
    if (track !== shown) {
      wave.show(track);
      showTrack(track);
    }
    const isPlaying = playback.isOn();
    if (track !== shown || isPlaying !== wasPlaying) showState(playback, isPlaying);
    shown = track;
    wasPlaying = isPlaying;
    showSound(playback);
    showGain(track);
    wave.mark(track, playback.durationSec());
    dots.show(track, playback.durationSec());
    dots.follow(playback.elapsedSec());
    lyrics.follow(track, playback.elapsedSec());
    showPlace(track, playback.elapsedSec());
    session.update();
  };
  const list = createGrowing("tracks", (rows) => {
    const tracks = readTracks(rows);
    queue.push(...tracks);
    offerTracks(tracks);
    lyrics.add(tracks);
    showNext(playback);
  });
  const playback = createPlayback(queue, list, () => update());
  const isMany = queue.length > 1;
  const session = announceTo({
    ...playback,
    step: isMany ? playback.step : undefined,
    album: isMany ? (document.querySelector("h1")?.textContent ?? "") : "",
  });
  lyrics.add(queue);
  bindControls(playback);
  listenToKeys(playback);
  enableComments(playback, list, update);
  enableHearing(playback);
  enableAnswers(update);
  createGrowing("comment-list", update);
  if (seenPath !== undefined) tellHeard(playback);
  growOnScroll("tracks", list);
  // A waveform that could not be fetched is fetched again when the music plays.
  playback.audio.addEventListener("playing", () => wave.show(playback.current()));
  wave.mark(queue[0], playback.durationSec());
  watchPending(playback.current, wave, update);
  dots.show(queue[0], playback.durationSec());
  showPlace(queue[0], 0);
  showGain(queue[0]);
}

function bindControls(playback: Playback): void {
  const { audio, queue } = playback;
  byId("play").addEventListener("click", playback.toggle);
  // A space pressed after it must pause, not restart.
  findById("play-all")?.addEventListener("click", playback.toggle);
  findById("previous")?.addEventListener("click", () => playback.step(-1));
  findById("next")?.addEventListener("click", () => playback.step(1));
  byId("mute").addEventListener("click", () => {
    audio.muted = !audio.muted;
  });
  bindVolume(audio);
  const seek = byId<HTMLInputElement>("seek");
  seek.addEventListener("input", () => playback.seek(Number(seek.value)));
  findById("tracks")?.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || target.closest("a, details, .pitch")) return;
    const row = target.closest(".track");
    const index = queue.findIndex((track) => track.row === row);
    if (index < 0) return;
    if (playback.current().row === row && audio.src !== "") playback.toggle();
    else playback.play(index);
  });
}

/** Shows which track is the current one. */
function showTrack(track: Track): void {
  document.querySelector(".track.current")?.classList.remove("current");
  if (track.row.matches(".track")) track.row.classList.add("current");
  const title = findById("now-title");
  if (!title) return;
  title.textContent = track.title;
  byId("now-artist").textContent = track.artist;
  const cover = track.row.querySelector(".cover")?.cloneNode(true);
  if (cover) byId("now-cover").replaceChildren(cover);
}

const TITLE = document.title;

/** The title of the tab names what plays; the page of a single track already does. */
function titleOf({ title, row }: Track): string {
  return row.id === "page" ? `▶ ${TITLE}` : `▶ ${title} · ${TITLE}`;
}

/** Shows what plays, if anything, and what the buttons do. */
function showState(playback: Playback, isPlaying: boolean): void {
  const track = playback.current();
  document.title = isPlaying ? titleOf(track) : TITLE;
  document.body.classList.toggle("playing", isPlaying);
  byId("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  document.querySelectorAll('.track-play[aria-label^="Pause"]').forEach((button) => {
    nameButton(button, "Play");
  });
  const button = track.row.querySelector(".track-play");
  if (button && isPlaying) nameButton(button, "Pause");
  const all = findById("play-all-words");
  if (all) all.textContent = isPlaying ? "Pause" : "Play";
  showNext(playback);
}

/** Shows by how much matching changes a track, such as `−3.2 dB`; nothing while tracks play as they are. */
function showGain({ gain }: Track): void {
  const place = findById("gain");
  if (!place) return;
  const isOn = byId("match").getAttribute("aria-pressed") === "true";
  const sign = gain > 0 ? "+" : gain < 0 ? "−" : "";
  const words = isOn ? `${sign}${Math.abs(gain).toFixed(1)} dB` : "";
  if (place.textContent !== words) place.textContent = words;
}

/** Names what a row's button does, and keeps the name of its track. */
function nameButton(button: Element, deed: "Play" | "Pause"): void {
  const label = button.getAttribute("aria-label") ?? "";
  button.setAttribute("aria-label", label.replace(/^\w+/, deed));
}

function showNext({ hasNext }: Playback): void {
  const next = findById<HTMLButtonElement>("next");
  if (next) next.disabled = !hasNext();
}

function showSound({ audio, current, trouble }: Playback): void {
  byId("mute").setAttribute("aria-pressed", String(audio.muted));
  const [why, { isPending, earlier }] = [trouble(), current()];
  document.body.classList.toggle("waiting", why === "slow");
  const isNotReady = isPending && why === "unplayable";
  const isCalm = isPending || earlier !== undefined;
  byId("player").classList.toggle("pending", isCalm && (why === undefined || isNotReady));
  const words = isNotReady ? NOT_READY : why && WORDS[why];
  const message = words ?? (earlier !== undefined ? `You hear ${earlier}.` : isPending ? PENDING : "");
  // A screen reader would repeat words that are written again.
  if (byId("player-message").textContent !== message) byId("player-message").textContent = message;
}
