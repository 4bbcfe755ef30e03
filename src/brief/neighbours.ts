import type { Care, Meaning } from "./lexicon.ts";
import type { Token } from "./text.ts";

/** What stands for meaning beside a run of words. */
export type Neighbours = { before: Run | undefined; after: Run | undefined };
type Run = { from: number; to: number; meaning: Meaning };

const words = (text: string) => new Set(text.split(" "));

/** Nouns for the music itself, and for how it sounds. */
const MUSIC = words(
  "music tempo bpm track tracks song songs tune tunes piece pieces cue cues sound sounds sounding feel feeling feels vibe vibes vibey mood moods " +
    "tone tones energy production bed beds score instrumental instrumentals theme beat beats arrangement texture textures atmosphere " +
    "groove grooves style flavour flavor edge touch melody melodies harmony chords palette aesthetic mix arrangement ish rhythm rhythms " +
    "record records number banger bangers riff riffs anthem anthems instrumentation elements undertones overtones vocals vocal version " +
    "artist artists writer writers act band singer singers couple duo trio group producer songwriter vocalist star album single producers songwriters bands rappers acts duos duet",
);
/** Words that may follow a word for music without changing what it means. */
const AFTER = words(
  "and or but yet meets meet vs versus with without for at in on to from that which who if please instead under over w n nor not no as than then is are was were " +
    "would could should will can may might needs must has have too also only just like around about & + by of so because maybe though " +
    "where when while until here there now however ideally preferably mostly all throughout rather plus minus up into it we i they you",
);
/** Words that a description follows. */
const BEFORE = words(
  "feel feels feeling sound sounds sounding vibe very really super quite more less most bit too so be is stay stays keep kept something anything " +
    "nothing little and or but not no never non extremely slightly mostly kinda somewhat rather pretty fairly almost always still ultra mega " +
    "get gets gone go goes becoming becomes turn turns make makes being stays remains equally both either neither nor think mood moods & + " +
    "vibes tone avoid without anything like with of tried hate want need love needs wants some any more hints hint touch dash genre genres isn't aren't except some only just add plus warm light soft subtle live real big lone solo single distant catchy simple nonsense scrappy melodic honest straightforward british american french italian german african irish led driven inspired influenced flavoured flavored tinged infused fronted leaning gives give full lots has have had bring brings use uses using used",
);
const DETERMINERS = words(
  "a an the my our your his her their its this that these those 's each every another",
);

/** True when an ordinary word means music at this place. */
export function countsHere(tokens: readonly Token[], run: Run, near: Neighbours, care: Care): boolean {
  const previous = samePhrase(tokens[run.from - 1], tokens[run.from]);
  const next = samePhrase(tokens[run.to], tokens[run.to - 1]);
  if (care === "listed") return isJoint(previous) && isJoint(next);
  const { before, after } = meaningsBeside(run, near, previous, next);
  const isAmongMusic = care === "music" && (isMusical(after) || isMusical(before));
  if (isAmongMusic || isDescription(after) || MUSIC.has(next?.word ?? "")) return true;
  return (!next || AFTER.has(next.word)) && isOpen(previous, next, run.meaning, before);
}

/** What the words directly before and after mean, where they are of the same phrase. */
function meaningsBeside(run: Run, near: Neighbours, previous: Token | undefined, next: Token | undefined) {
  const before = previous && near.before?.to === run.from ? near.before.meaning : undefined;
  const after = next && near.after?.from === run.to ? near.after.meaning : undefined;
  return { before, after };
}

const JOINTS = words("and or with & + plus but no not");

/** An item of a list stands between signs, or words that join. */
function isJoint(token: Token | undefined): boolean {
  return token === undefined || JOINTS.has(token.word);
}

/** True when nothing before the word makes it an ordinary one: "a dark, ..." describes, "the house with" does not. */
function isOpen(
  previous: Token | undefined,
  next: Token | undefined,
  meaning: Meaning,
  before: Meaning | undefined,
): boolean {
  if (!previous || BEFORE.has(previous.word) || AFTER.has(previous.word) || isMusical(before)) return true;
  if (!DETERMINERS.has(previous.word)) return false;
  return isInstrument(meaning) || (isFeeling(meaning) && !next);
}

function samePhrase(token: Token | undefined, other: Token | undefined): Token | undefined {
  return token && other && token.phrase === other.phrase ? token : undefined;
}

function isMusical(meaning: Meaning | undefined): boolean {
  return meaning !== undefined && meaning.tags.length > 0;
}

const DESCRIPTIONS = new Set(["moods", "characters", "movements", "eras", "genres", "tempos"]);

function isInstrument(meaning: Meaning): boolean {
  return meaning.tags.some(({ category }) => category === "instruments");
}

function isFeeling(meaning: Meaning): boolean {
  return meaning.tags.some(
    ({ category }) => category === "moods" || category === "characters" || category === "movements",
  );
}

function isDescription(meaning: Meaning | undefined): boolean {
  return meaning?.tags.some(({ category }) => DESCRIPTIONS.has(category)) ?? false;
}
