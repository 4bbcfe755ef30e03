const EXTENSION =
  /\.(wav|wave|w64|aiff?|aifc|flac|mp[23]|m4a|mp4|aac|ogg|oga|opus|webm|caf|wv|wma|au|snd|ac3|tta|dsf|ape)$/i;

/** Returns the title, or the file's name without its extension where the title says nothing. */
export function titleOf({ title, name }: { title: string | null; name: string }): string {
  if (title !== null && title.trim() !== "") return title;
  return name.replace(EXTENSION, "") || name;
}
