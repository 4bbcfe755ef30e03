/** Returns why a request got no answer, as words that follow a colon. */
export function failureSentence(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/ENOTFOUND|ESERVFAIL|ENODATA|EAI_|DNS/i.test(code)) return "its host name cannot be found";
  if (/CERT|TLS|SSL|SELF_SIGNED|ISSUER|ALTNAME/i.test(code)) return "its certificate cannot be trusted";
  if (/REFUSED/i.test(code)) return "nothing listens there (connection refused)";
  if (/RESET|CLOSED|EPIPE/i.test(code)) return "the connection broke off";
  return "it cannot be reached";
}
