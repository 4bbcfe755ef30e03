/** The id of a person. Whoever had an account has its id, so only the type tells the two apart. */
export type PersonId = string & { readonly person: "id" };

/** The id of a library. Every text may be one, except a {@link PersonId}. */
export type LibraryId = string & { readonly person?: never };

/** What somebody is in a library. */
export type Role = "owner" | "manager" | "producer" | "artist" | "listener";

/** How a session began. */
export type SessionMethod = "password" | "passkey" | "provider" | "operator" | "invitation";
