import { fold } from "../../../../kernel/text.ts";

/**
 * What the words mean that say what a file is of its song, as studios and libraries write them: words or phrases, between commas.
 * A new language is a line here. `edit` says that it is a shorter one and not how long. `beside` says so only next to another:
 * `Instrumental Mix`, but not `Night Mix`.
 */
const WORDS = {
  main: [
    "main, main mix, full mix, full length, full version, full song, original mix, original version, vocal mix, vocal version, with vocals, explicit, dirty",
    "hauptmix, vollversion, originalversion, version originale, version complete, versión original, versión completa, versione originale, versão original",
    "оригинал, полная версия, オリジナル, フル, 原版, 完整版, 오리지널",
  ],
  instrumental: [
    "instrumental, instrumentals, full instrumental, inst, instr, no vocals, no vocal, no vox, without vocals, without vocal, w o vocals, minus vocals, vocals off, vox off, off vocal, vocal off, non vocal, playback, karaoke, backing track, music only, minus one",
    "ohne gesang, ohne vocals, nur musik, instrumentalversion, instrumentale, sans voix, sans chant, version instrumentale, bande son, instrumentális",
    "sin voz, sin voces, pista, sin vocales, senza voce, senza voci, base, sem voz, sem vocais, instrumentaal, zonder zang, instrumentaali, utan sång, uten sang, uden vokal",
    "instrumentalny, instrumentalna, bez wokalu, instrumentální, bez zpěvu, enstrümantal, vokalsiz, altyapı",
    "инструментал, инструментальная, инструментальная версия, минус, минусовка, без вокала, без голоса, інструментал, без вокалу",
    "インスト, インストゥルメンタル, カラオケ, オフボーカル, 歌なし, 伴奏, 纯音乐, 純音樂, 无人声, 纯伴奏, 器乐, 인스트, 연주곡, 엠알, mr",
  ],
  acapella: [
    "a cappella, acappella, acapella, a capella, acapela, cappella, capella, acap, accapella, vocals only, vocal only, vox only, only vocals, voice only, lead only",
    "nur gesang, nur stimme, gesang pur, voix seule, voix seules, solo voz, sólo voz, solo voces, solo voce, solo voci, só voz, apenas voz, alleen zang, bara sång",
    "sam wokal, tylko wokal, акапелла, акапела, только вокал, только голос, лише вокал, アカペラ, ボーカルのみ, 歌のみ, 清唱, 纯人声, 人声版, 아카펠라, 보컬만",
  ],
  clean: [
    "clean, radio clean, clean radio, censored, non explicit, no profanity",
    "jugendfrei, zensiert, censuré, censurée, censurada, censurado, censurato, censurata, limpia, pulita, limpa, gecensureerd, ocenzurowana, cenzura, sansürlü, цензура, без мата, クリーン, 洁净版, 净化版, 클린",
  ],
  tv: [
    "tv, tv mix, tv track, television mix, performance mix, performance track, show mix, live playback, no lead, no lead vocals, no lead vocal, no lead vox, minus lead, lead off, without lead, with backing vocals, with bgvs, with bvs",
    "halbplayback, halb playback, ohne leadgesang, ohne lead, sans voix lead, sans lead, sin voz principal, senza voce principale, sem voz principal, без основного вокала, テレビミックス, コーラス入り, 演出版, 엠알 코러스",
  ],
  other: [
    "underscore, underscored, bed, alt mix, alternate mix, alternative mix, stripped, stripped back, stripped down, minimal mix, lite mix, light mix, drumless, no drums, no drum, no beat, no beats, no bass, no percussion, no perc, no guitars, no guitar, no piano, no strings, no synths, no melody, no sfx, extended mix, extended version, dub mix",
    "ohne schlagzeug, ohne bass, sans batterie, sin batería, senza batteria, sem bateria, bez perkusji, без барабанов, ドラムなし, ドラムレス",
  ],
  stem: [
    "stem, stems, multitrack, multitracks, multi track, spur, spuren, einzelspur, einzelspuren, piste, pistes, pistas, tracce, ścieżka, ścieżki, стем, стемы, мультитрек, ステム, パラデータ, 分轨, 分軌, 스템",
  ],
  edit: [
    "edit, cutdown, cut down, cutdowns, short, short version, short edit, short mix, radio edit, radio version, radio mix, single edit, single version, bumper, sting, stinger, ident, loop, spot, teaser, tag, jingle",
    "kurzfassung, kurzversion, kurz, version courte, courte, versión corta, corta, versione breve, breve, versão curta, curta, korte versie, kort, krótka, wersja krótka, kısa",
    "короткая версия, короткая, радио версия, ショート, ショートバージョン, 短版, 剪辑版, 숏버전",
  ],
  beside: [
    "mix, version, ver, vers, cut, track, tracks, only, mixdown, audio, full, seconds, bus, group, solo, the, and, lead, all, dry, wet, stereo, mono, spots",
    "fassung, versión, versione, versão, versie, wersja, verze, verzió, mezcla, mixage, mischung, und, et, y, e, версия, микс, версія, バージョン, ミックス, 版, 版本, 버전, 믹스",
  ],
} as const;

/** The instruments of a stem. */
const PARTS = {
  drums: [
    "drums, drum, kit, drum kit, beat, beats, kick, snare, hat, hats, hihat, hi hat, toms, cymbals, overheads, perc, percussion, percs, shaker, loops, 808",
    "schlagzeug, trommeln, perkussion, batterie, percussions, batería, percusión, batteria, percussioni, bateria, percussão, slagverk, trummor, perkusja, davul, ударные, барабаны, перкуссия, ドラム, ドラムス, パーカッション, 鼓, 打击乐, 드럼",
  ],
  bass: [
    "bass, basses, bassline, bass guitar, sub, sub bass, synth bass, basse, bajo, basso, baixo, bas, бас, ベース, 贝斯, 베이스",
  ],
  guitars: [
    "guitar, guitars, gtr, gtrs, gtr s, elec gtr, electric guitar, electric guitars, acoustic guitar, acoustic guitars, ac gtr, e gtr, banjo, mandolin, ukulele",
    "gitarre, gitarren, guitare, guitares, guitarra, guitarras, chitarra, chitarre, gitaar, gitarr, gitara, gitary, гитара, гитары, ギター, 吉他, 기타",
  ],
  keys: [
    "keys, key, keyboard, keyboards, piano, pianos, rhodes, organ, synth, synths, pad, pads, arp, arps, lead synth, synth lead, plucks, wurlitzer, clav",
    "klavier, orgel, claviers, synthé, synthés, teclados, teclado, piano, tastiere, tastiera, toetsen, klawisze, клавиши, синтезатор, фортепиано, キーボード, ピアノ, シンセ, 键盘, 钢琴, 건반, 피아노",
  ],
  strings: [
    "strings, string, violin, violins, viola, violas, cello, celli, cellos, orchestra, orch, streicher, geige, orchester, cordes, violon, orchestre, cuerdas, orquesta, archi, cordas, strijkers, stråkar, smyczki, струнные, оркестр, ストリングス, 弦乐, 스트링",
  ],
  brass: [
    "brass, horns, horn, trumpet, trumpets, trombone, trombones, sax, saxes, saxophone, winds, woodwinds, bläser, blech, cuivres, cuivre, metales, ottoni, metais, blazers, blås, dęte, духовые, ブラス, 铜管, 브라스",
  ],
  backing: [
    "backing vocals, backing vocal, backing vox, backings, bgv, bgvs, bvs, bv, bvox, bg vocals, bg vox, background vocals, background vocal, harmonies, harmony, harms, choir, chorus vocals, gang vocals, adlibs, ad libs",
    "backgroundgesang, hintergrundgesang, chor, chöre, choeurs, coros, cori, coro, achtergrondzang, chórki, бэк вокал, бэки, хор, コーラス, 和声, 合唱, 코러스",
  ],
  vocals: [
    "vocals, vocal, vox, voice, voices, lead vocals, lead vocal, lead vox, leadvox, lvox, gesang, stimme, stimmen, leadgesang, voix, chant, voz, voces, voce, voci, vozes, vocais, zang, sång, sang, wokal, wokale, vokal, вокал, голос, ボーカル, 歌, 人声, 보컬",
  ],
  effects: [
    "fx, sfx, effects, efx, risers, riser, impacts, impact, sweeps, ambience, atmos, atmo, atmosphere, foley, returns, reverb, verb, effekte, effets, efectos, effetti, efeitos, effecten, effekter, efekty, эффекты, エフェクト, 效果, 효과음",
  ],
  other: [
    "other, others, misc, rest, extras, remaining, andere, autres, otros, altri, outros, прочее, その他, 其他",
  ],
} as const;

export type KindWord = keyof typeof WORDS;
export type PartWord = keyof typeof PARTS;

/** What a phrase says of a file: its kind, or the instrument of a stem. */
export type Said = { kind: KindWord } | { part: PartWord };

/** A phrase's folded words, and what it says. */
export type KindPhrase = { words: readonly string[]; says: Said };

/** What each folded phrase says; the first of two meanings counts. */
const SAYS: ReadonlyMap<string, Said> = new Map(
  [
    ...(Object.keys(WORDS) as KindWord[]).flatMap((kind) => phrasesOf(WORDS[kind], { kind })),
    ...(Object.keys(PARTS) as PartWord[]).flatMap((part) => phrasesOf(PARTS[part], { part })),
  ].toReversed(),
);

function phrasesOf(lines: readonly string[], says: Said): [string, Said][] {
  return lines.flatMap((line) =>
    line.split(",").map((phrase): [string, Said] => [fold(phrase.trim()), says]),
  );
}

/** The phrases by their first words, the longest first. */
const PHRASES: ReadonlyMap<string, readonly KindPhrase[]> = Map.groupBy(
  [...SAYS]
    .map(([phrase, says]): KindPhrase => ({ words: phrase.split(" "), says }))
    .sort((one, two) => two.words.length - one.words.length),
  ({ words }) => words[0] ?? "",
);

/** Returns the phrases that begin with a folded word, the longest first. */
export const kindPhrasesFrom = (word: string): readonly KindPhrase[] => PHRASES.get(word) ?? [];

/** Scripts that write no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const LONGEST = Math.max(...[...SAYS.keys()].map((phrase) => phrase.length));

/** Returns where a phrase of the table begins at the end of an unspaced text: 5 for `夜のバスインスト`; 0: nowhere. */
export function kindTailOf(word: string): number {
  if (!UNSPACED.test(word)) return 0;
  for (let at = Math.max(1, word.length - LONGEST); at <= word.length - 2; at++)
    if (SAYS.has(fold(word.slice(at)))) return at;
  return 0;
}
