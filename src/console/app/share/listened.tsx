/** @jsxRuntime automatic @jsxImportSource preact */

/** Says what "listened" and "heard" mean, by the rule of the server; a test compares them. */
export const ListenedNote = () => <p class="soft">Listened: a play, or at least 1 second heard.</p>;
