import { fold } from "../../../../kernel/text.ts";

/**
 * Words that say which state of a piece a file holds, as studios write them. A new language is a line here.
 *
 * `stage` says so by itself: `Night Bus final`. `counted` says so with a number, or beside a stage: `mix 3`, `final mix`.
 * `beside` says so only behind another: `v7 loud`, but not `Something New`. `copy` is what file managers add. `technical` tells
 * how the file was written, which is no part of a label.
 */
const WORDS = {
  stage: [
    "rough final master mastered premaster premix mixdown demo bounce bounced render rendered export exported draft wip print ref prefinal",
    "rohmix rohfassung entwurf endmix endfassung endversion schlussmix vorab vorabmix endgültig",
    "maquette brouillon ébauche définitif définitive provisoire maqueta borrador definitivo definitiva provisional",
    "provino bozza provvisorio rascunho esboço provisório eindmix eindversie definitief schets ruwe",
    "slutmix slutversion skiss utkast szkic finalny finalna ostateczna robocza taslak",
    "финал финальный финальная демо черновик мастер чернетка",
    "最終 最終版 完成 完成版 完成形 ラフ デモ マスター ファイナル 決定稿 仮ミックス 最终 最终版 定稿 终稿 草稿 小样 母带",
    "최종 최종본 완성본 데모 마스터 러프",
  ],
  counted: [
    "mix take rev revision version ver vers v",
    "fassung mischung abmischung mezcla mixage missaggio mixagem mistura versión versione versão versie wersja verze verzió",
    "toma prise ripresa tomada opname тейк дубль микс версия версія",
    "ミックス テイク バージョン 版 混音 版本 믹스 버전",
  ],
  beside: [
    "new newest latest last loud louder alt alternate edit fix fixed update updated",
    "neu neue neuer letzte letzter laut nouveau nouvelle dernier dernière nuevo nueva último última nuovo nuova novo nova ny nieuw",
    "новый новая последний последняя 新 새",
  ],
  copy: ["copy kopie copie copia cópia kopia kopya копия копія コピー のコピー 副本 拷贝 복사본 사본"],
  technical: [
    "stereo mono hd hq lossless 16bit 24bit 32bit 44k 48k 88k 96k 192k 44khz 48khz 88khz 96khz 192khz bit khz",
  ],
} as const;

export type WordKind = keyof typeof WORDS;

const KINDS: ReadonlyMap<string, WordKind> = new Map(
  (Object.keys(WORDS) as WordKind[]).flatMap((kind) =>
    WORDS[kind].flatMap((line) => line.split(" ").map((word) => [fold(word), kind] as const)),
  ),
);

/** Words that only count versions: `ver 8`, `version 9` and `v9` are all `v` with a number. */
const VERSION: ReadonlySet<string> = new Set(
  "version ver vers v fassung versión versione versão versie wersja verze verzió версия версія バージョン 版 版本 버전"
    .split(" ")
    .map(fold),
);

/** Returns what kind of word a folded word is; undefined for a word of a song. */
export const kindOf = (word: string): WordKind | undefined => KINDS.get(word);

/** True for a word that only counts versions. */
export const countsVersions = (word: string): boolean => VERSION.has(word);

const LONGEST = Math.max(...[...KINDS.keys()].map((word) => word.length));

/** Takes a word apart that is nothing but words of the list: `finalmix` is `final` and `mix`. */
export function wordsIn(word: string): string[] | undefined {
  if (KINDS.has(word)) return [word];
  for (let length = Math.min(word.length - 1, LONGEST); length > 2; length--) {
    const rest = KINDS.has(word.slice(0, length)) ? wordsIn(word.slice(length)) : undefined;
    if (rest) return [word.slice(0, length), ...rest];
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
