/** Returns a name and an id as they are printed on a terminal: names come from outside. */
export const named = ({ id, name }: { id: string; name: string }): string =>
  `“${plain(name)}” (${plain(id)})`;

const plain = (text: string) => text.replace(/[\p{Cc}\p{Cf}]+/gu, " ").slice(0, 80);
