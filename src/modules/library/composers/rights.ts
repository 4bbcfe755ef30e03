/** What is missing or wrong in the rights data of a composer. */
export const RIGHTS_PROBLEMS = [
  "no_email",
  "no_ipi",
  "bad_ipi",
  "no_pro",
  "unknown_pro",
  "bad_isni",
] as const;
export type RightsProblem = (typeof RIGHTS_PROBLEMS)[number];

/** The number of an interested party has eleven digits; leading zeros are often left out. */
const IPI_DIGITS = 11;

/** Societies for performing rights, by the short names that statements and registrations use. */
const SOCIETIES: ReadonlySet<string> = new Set(
  (
    "ABRAMUS AEI-GUATEMALA AKM APRA AMCOS ARTISJUS ASCAP AGADU AMRA AMAR ACUM ACDAM APDAYC ALBAUTOR AUTODIA BMI BMAT BUMA STEMRA " +
    "BUBEDRA BURIDA BBDA BGDA BUMDA CAPASSO CASH COMPASS COSCAP COSOMA COTT DACIN EAU FILSCAP GEMA GMR GHAMRO HDS ZAMP IMRO IPRS " +
    "JASRAC JACAP KODA KOMCA KOSCAP KazAK LATGA MACP MASA MCPS MCSC MCSK MCT MESAM MSG MÜST MUSICAUTOR NCB NEXTONE ONDA OSA PRS " +
    "PAM PROMUSIC RAO SABAM SACEM SACENC SACIM SACM SACVEN SADAIC SADEMBRA SAMRO SAYCE SAYCO SAZAS SCD SESAC SGAE SGACEDOM SIAE " +
    "SOCAN SOBODAYCOM SOCINPRO SODRAC SOKOJ SOZA SPA SPAC STEF STIM SUISA TEOSTO TONO UACRR UBC UCMR UNISON VCPMC WAMI ZAIKS ZAMCOPS " +
    "ZIMURA AUME GESAC SECIM GEOLAC BELAT COPYSWEDE ASSIM SBACEM SICAM"
  )
    .toUpperCase()
    .split(" "),
);

/**
 * Returns true when the last two digits of an IPI name number fit the others: nine digits weighed 10 to 2, modulo 101. Spaces,
 * dots and leading zeros do not matter.
 */
export function isIpi(text: string): boolean {
  const digits = text.replace(/[\s.-]/g, "");
  if (!/^\d{5,11}$/.test(digits)) return false;
  const all = digits.padStart(IPI_DIGITS, "0");
  const sum = [...all.slice(0, 9)].reduce((total, digit, place) => total + Number(digit) * (10 - place), 0);
  return ((101 - (sum % 101)) % 101) % 100 === Number(all.slice(9)) && sum > 0;
}

/** Returns true when the last of the sixteen signs of an ISNI fits the others (ISO 7064, modulo 11-2). */
export function isIsni(text: string): boolean {
  const signs = text
    .replace(/^ISNI[:\s]*/i, "")
    .replace(/[\s-]/g, "")
    .toUpperCase();
  if (!/^\d{15}[\dX]$/.test(signs)) return false;
  const sum = [...signs.slice(0, 15)].reduce((total, digit) => 2 * (total + Number(digit)), 0);
  const check = (12 - (sum % 11)) % 11;
  return signs.at(-1) === (check === 10 ? "X" : String(check));
}

/** Returns true when a text names a society: `GEMA`, `PRS for Music`, `APRA AMCOS`. */
export const isSociety = (text: string): boolean =>
  text.split(/[^\p{L}-]+/u).some((word) => SOCIETIES.has(word.toUpperCase()));

/** Returns what is missing or wrong. An ISNI may be missing. */
export function rightsProblems(composer: {
  email: string | null;
  ipi: string | null;
  pro: string | null;
  isni: string | null;
}): RightsProblem[] {
  const { email, ipi, pro, isni } = composer;
  const problems: [RightsProblem, boolean][] = [
    ["no_email", email === null],
    ["no_pro", pro === null],
    ["unknown_pro", pro !== null && !isSociety(pro)],
    ["no_ipi", ipi === null],
    ["bad_ipi", ipi !== null && !isIpi(ipi)],
    ["bad_isni", isni !== null && !isIsni(isni)],
  ];
  return problems.flatMap(([problem, isSo]) => (isSo ? [problem] : []));
}
