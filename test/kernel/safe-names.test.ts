import { expect, test } from "bun:test";
import { fileStem } from "../../src/kernel/safe-names.ts";

test.each([
  ["Song\u202egnp.wav", "Songgnp.wav"],
  ["\u2066Left\u2069 \ufeffright", "Left right"],
  ["مرحبا", "مرحبا"],
  ["CON", "_CON"],
  ["nul .tar", "_nul .tar"],
  ["LPT¹", "_LPT¹"],
  ["CONOUT$", "_CONOUT$"],
  ["Contact", "Contact"],
  ["trailing dots... ", "trailing dots"],
  ["AC/DC\\Back\tto\rBlack", "AC_DC_Back_to_Black"],
  ["..", "untitled"],
])("%j is named %j in a folder", (title, name) => {
  expect(fileStem(title)).toBe(name);
});
