/**
 * Returns how much a client wants a media type, 0 to 1; 1 when it says nothing.
 *
 * @see RFC 9110, section 12.5.1: the most specific matching range counts. Parameters other than `q` are ignored.
 */
export function acceptQuality(field: string | null, mediaType: string): number {
  if (field === null || field.trim() === "") return 1;
  const qualities = new Map(
    field.split(",").map((range) => {
      const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
      const q = parameters.find((parameter) => parameter.startsWith("q="));
      return [name, q === undefined ? 1 : Number(q.slice(2)) || 0];
    }),
  );
  const [kind] = mediaType.split("/");
  return qualities.get(mediaType) ?? qualities.get(`${kind}/*`) ?? qualities.get("*/*") ?? 0;
}
