import type { Problem } from "./types.ts";

export type Name =
  | "fullName"
  | "lastName"
  | "artistName"
  | "email"
  | "publisher"
  | "publisherIpi"
  | "pro"
  | "ipi"
  | "isni";

/** The fields of a composer, and the problems shown beside each field. */
export const FIELDS: readonly {
  name: Name;
  label: string;
  type?: "email";
  hint?: string;
  problems: readonly Problem[];
}[] = [
  { name: "fullName", label: "Full name", problems: [] },
  {
    name: "lastName",
    label: "Last name",
    hint: "For registrations; left empty, the last word of the name.",
    problems: [],
  },
  { name: "artistName", label: "Artist name", problems: [] },
  { name: "email", label: "E-mail", type: "email", problems: ["no_email"] },
  { name: "publisher", label: "Publisher", problems: [] },
  {
    name: "publisherIpi",
    label: "Publisher IPI",
    hint: "The name number of the publisher.",
    problems: ["bad_publisher_ipi"],
  },
  {
    name: "pro",
    label: "PRO",
    hint: "The society that collects for them.",
    problems: ["no_pro", "unknown_pro"],
  },
  { name: "ipi", label: "IPI", hint: "The name number, up to 11 digits.", problems: ["no_ipi", "bad_ipi"] },
  { name: "isni", label: "ISNI", hint: "16 digits; the last may be X.", problems: ["bad_isni"] },
];
