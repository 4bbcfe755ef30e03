import { toIpi, toIsni } from "../../../kernel/identifiers.ts";

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
    ["bad_ipi", ipi !== null && toIpi(ipi) === undefined],
    ["bad_isni", isni !== null && toIsni(isni) === undefined],
  ];
  return problems.flatMap(([problem, isSo]) => (isSo ? [problem] : []));
}
