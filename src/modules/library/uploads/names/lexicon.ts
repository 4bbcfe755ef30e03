import { fold } from "../../../../kernel/text.ts";

/**
 * What the words mean that say which state of a piece a file holds, as studios write them. A new language is a line here.
 *
 * `stage` says so by itself: `Night Bus final`. `counted` says so with a number, or beside a stage: `mix 3`, `final mix`.
 * `beside` says so only behind another: `v7 loud`, but not `Something New`; `move` too, and also what becomes of a `part`:
 * `v9 vox up`. `with` and `without` begin a remark: `v7 for Jonas`, `mix 3 no limiter`. `kind` makes another recording of a song.
 * `before` belongs to the stage behind it, `medium` to one beside it. `copy` is what file managers add. `technical` tells how the file was written, which is
 * no part of a label.
 */
const WORDS = {
  stage: [
    "rough final master mastered premaster premastered premix mixdown demo bounce bounced render rendered export exported draft wip print ref prefinal approved bip",
    "rohmix rohfassung entwurf endmix endfassung endversion schlussmix vorab vorabmix endgültig freigegeben",
    "maquette brouillon ébauche définitif définitive provisoire maqueta borrador definitivo definitiva provisional máster",
    "provino bozza provvisorio rascunho esboço provisório eindmix eindversie definitief schets ruwe",
    "slutmix slutversion skiss utkast szkic finalny finalna ostateczna robocza taslak",
    "финал финальный финальная демо черновик мастер чернетка",
    "最終 最終版 完成 完成版 完成形 ラフ デモ マスター ファイナル 決定稿 仮ミックス 最终 最终版 定稿 终稿 草稿 小样 母带",
    "최종 최종본 완성본 데모 마스터 러프",
  ],
  counted: [
    "mix take rev revision version ver vers v",
    "fassung mischung abmischung mezcla mixage mixaggio missaggio mixagem mistura versión versione versão versie wersja verze verzió",
    "toma prise ripresa tomada opname тейк дубль микс версия версія",
    "ミックス テイク バージョン 版 混音 版本 믹스 버전",
  ],
  before: ["pre vor pré"],
  medium: ["vinyl cd streaming spotify itunes youtube soundcloud bandcamp digital"],
  beside: [
    "new newest latest last loud alt alternate edit fix fixed update updated",
    "neu neue neuer letzte letzter laut nouveau nouvelle dernier dernière nuevo nueva último última nuovo nuova novo nova ny nieuw",
    "новый новая последний последняя 新 새",
  ],
  move: [
    "old older current redo revised corrected real really actual actually ok okay good best clipped dithered unmastered recalled korrigiert",
    "up down louder quieter softer lower higher brighter darker warmer wider drier wetter dry wet tuned comp muted shorter longer",
    "lauter leiser höher tiefer heller rauf runter kürzer länger fort forte faible alto alta bajo baja basso bassa",
    "громче тише 上げ 下げ",
  ],
  part: [
    "vox vocal vocals voice voices bgv bgvs bvs drum drums kick snare hat hats hihat perc percussion bass sub guitar guitars gtr gtrs keys piano synth synths pad pads strings brass horns lead leads choir fx reverb verb delay",
    "intro verse chorus hook bridge drop outro ending low lows mid mids high highs top end",
    "gesang stimme stimmen schlagzeug gitarre gitarren klavier streicher voix batterie basse guitare voz voces batería guitarra bajo voce voci batteria chitarra голос вокал",
    "ボーカル ドラム ベース ギター",
  ],
  with: [
    "for with w less more plus für mit weniger mehr pour avec moins para con menos más per meno più voor met for för för для с",
  ],
  without: ["no without minus ohne sans sin senza zonder sem utan без"],
  kind: [
    "instrumental inst instr acapella acappella cappella capella acap live acoustic unplugged remix remixed rmx extended radio club dub vip clean dirty explicit tv karaoke playback reprise interlude cover slowed sped nightcore mashup bootleg flip rework cutdown bumper sting stem stems multitrack multitracks",
    "feat ft featuring part pt vol volume chapter act movement teil kapitel satz parte partie capítulo часть",
    "akustisch acústico acústica acustico acustica acoustique instrumentale vivo direct directo dal",
    "インスト ライブ アコースティック リミックス",
  ],
  copy: [
    "copy duplicate dup kopie copie copia cópia kopia kopya копия копія コピー のコピー 副本 拷贝 복사본 사본",
  ],
  technical: ["stereo mono hd hq lossless bit khz wav aif aiff flac mp3 m4a"],
} as const;

/** Words that only say something in this order. */
export type Phrase = { words: readonly string[]; isStage: boolean };

/** What workstations call their output, and how people point at a file: by their first words, the longest first. */
const PHRASES: ReadonlyMap<string | undefined, Phrase[]> = Map.groupBy(
  [
    {
      line: "stereo out,stereo mix,main out,master out,master bus,mix bus,audio mixdown,mix down",
      isStage: true,
    },
    {
      line: "use this one,use this,this one,the one,do not use,dont use,this is it,diesen nehmen",
      isStage: false,
    },
  ].flatMap(({ line, isStage }) => line.split(",").map((each) => ({ words: each.split(" "), isStage }))),
  ({ words }) => words[0],
);

/** Returns the phrases that begin with a folded word. */
export const phrasesFrom = (word: string | undefined): readonly Phrase[] => PHRASES.get(word) ?? [];

export type WordKind = keyof typeof WORDS;

const KINDS: ReadonlyMap<string, WordKind> = new Map(
  (Object.keys(WORDS) as WordKind[])
    .toReversed()
    .flatMap((kind) =>
      WORDS[kind].flatMap((line) => line.split(" ").map((word) => [fold(word), kind] as const)),
    ),
);

/** Words that only count versions: `ver 8`, `version 9` and `v9` are all `v` with a number. */
const VERSION: ReadonlySet<string> = new Set(
  "version ver vers v fassung versión versione versão versie wersja verze verzió версия версія バージョン 版 版本 버전"
    .split(" ")
    .map(fold),
);

/** Words of the stages without their vowels, of three letters or more: `mstr`, `fnl`, `bnc`. */
const SHORTENED: ReadonlySet<string> = new Set(
  [...KINDS]
    .filter(([word, kind]) => kind === "stage" && /^[a-z]+$/.test(word))
    .flatMap(([word]) => [skeletonOf(word), skeletonOf(word.replace(/^pre/, "pr"))])
    .filter((word) => word.length > 2),
);

function skeletonOf(word: string): string {
  return word.slice(0, 1) + word.slice(1).replace(/[aeiou]/g, "");
}

/** Returns what kind of word a folded word is; undefined for a word of a song. */
export function kindOf(word: string): WordKind | undefined {
  return KINDS.get(word) ?? (SHORTENED.has(word) ? "stage" : undefined);
}

/** True for a word that only counts versions. */
export const countsVersions = (word: string): boolean => VERSION.has(word);

const LONGEST = Math.max(...[...KINDS.keys()].map((word) => word.length));

/** Kinds of words that are written together: `finalmix`, `premstr`. */
const JOINED: ReadonlySet<WordKind | undefined> = new Set(["stage", "counted", "before", "beside", "copy"]);

/** Takes a word apart that is nothing but words of the list: `finalmix` is `final` and `mix`. */
export function wordsIn(word: string): string[] | undefined {
  if (kindOf(word) !== undefined) return [word];
  for (let length = Math.min(word.length - 1, LONGEST); length > 2; length--) {
    const rest = JOINED.has(kindOf(word.slice(0, length))) ? wordsIn(word.slice(length)) : undefined;
    if (rest?.every((each) => JOINED.has(kindOf(each)))) return [word.slice(0, length), ...rest];
  }
  return undefined;
}

/** Scripts that write no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Returns where the words of the list begin at the end of an unspaced text: 4 for `夜のバス最終版`. 0: there are none. */
export function tailOf(word: string): number {
  if (!UNSPACED.test(word)) return 0;
  for (let at = Math.max(1, word.length - LONGEST); at <= word.length - 2; at++)
    if (KINDS.has(word.slice(at))) return at;
  return 0;
}
