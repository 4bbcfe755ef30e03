import { describe, expect, test } from "bun:test";
import { languageCode, languageName } from "../../src/kernel/languages.ts";
import { detectLanguage } from "../../src/modules/search/search/filters/lyrics-language.ts";

describe("languages", () => {
  test.each([
    ["en", "en"],
    ["EN-gb", "en"],
    ["pt_BR", "pt"],
    ["English", "en"],
    ["spanish", "es"],
    ["fra", "fr"],
    ["Klingon", undefined],
    ["xx", undefined],
    ["", undefined],
  ])("the language %s is %s", (text, code) => {
    expect(languageCode(text)).toBe(code);
  });

  test("a code has its English name", () => {
    expect(languageName("es")).toBe("Spanish");
  });

  test.each([
    ["en", "I was walking on the road and you were in my mind, all the lights are out but I don't care"],
    ["es", "No me digas que no, mi corazón está en la calle y tu voz es como el viento que se va"],
    ["fr", "Je ne sais pas ce que tu veux, dans la nuit je pense à toi et le vent est sur la mer"],
    ["de", "Ich weiß nicht wo du bist, die Nacht ist lang und das Licht geht aus, nur der Wind ist mit mir"],
    ["it", "Non so più dove sei, la notte è lunga e il vento che mi porta via con te è come un sogno"],
    ["pt", "Eu não sei onde você está, a noite é longa e o vento me leva pra longe do meu amor"],
    ["sv", "Jag vet inte var du är, natten är lång och vinden tar mig till dig, det är som en dröm för mig"],
    ["ja", "夜の街を歩いている あなたのことを思い出す"],
    ["ko", "밤거리를 걸으며 너를 생각해"],
    ["el", "Περπατώ στον δρόμο και σε σκέφτομαι"],
  ])("words in %s are recognised", (code, lyrics) => {
    expect(detectLanguage(lyrics)).toBe(code);
  });

  test.each([
    "",
    "la la la la la la la la la la",
    "oh yeah",
    "ooh aah hey ho na na na na hey hey hey goodbye",
  ])("no language is guessed for: %s", (lyrics) => {
    expect(detectLanguage(lyrics)).toBeUndefined();
  });
});
