/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { ConsoleFiles } from "../pages/console-files.ts";

/** What the document hands to the console's script. */
export type FirstData = {
  /** The path that every address begins with; see `pageRootOf`. */
  root: string;
  account: { id: string; name: string; email: string };
  /** The library that the document is of, and what the person may there. */
  library: Library & { scopes: readonly string[]; powers: readonly string[] };
  /** All libraries of the person. */
  libraries: readonly (Library & { isCurrent: boolean })[];
  /** Whether the person may found another library. */
  mayFound: boolean;
  /** How people may sign in on this server, beside a password. */
  ways: { passkeys: boolean; provider: string | null; passwords: boolean };
  /** Whether the server sends mails. */
  sendsMail: boolean;
  /** The account's last change before the answers were read: live changes go on from here. */
  seq: string;
  /**
   * The answers to the first requests of the screen, in the order of `firstRequests`; null where there is none. The
   * requests themselves are not repeated here: text from the address must not be compressed together with secrets.
   */
  answers: readonly unknown[];
};

type Library = { id: string; name: string; role: string };

type ShellProps = {
  heading: string;
  first: FirstData;
  files: ConsoleFiles;
  /** Parts of the script that the screen needs at once. */
  preload: readonly string[];
};

/** The document of the console: its heading until the script shows the screen, and the screen's first data. */
export function Shell({ heading, first, files, preload }: ShellProps) {
  return (
    <Document heading={heading} first={first} icon={files.icon} style={files.style}>
      {preload.map((name) => (
        <link key={name} rel="modulepreload" href={`${first.root}/assets/${name}`} />
      ))}
      <script type="module" src={`${first.root}/assets/${files.script}`} />
    </Document>
  );
}

/** The document for times without a connection: the same for everybody. What it shows is on the device. */
export function OfflineShell({ root, files: { icon, offline } }: { root: string; files: ConsoleFiles }) {
  return (
    <Document heading="Pocket" first={{ ...NOBODY, root }} icon={icon} style={offline.style}>
      <script defer src={`${root}/assets/${offline.script}`} />
    </Document>
  );
}

const NOBODY: FirstData = {
  root: "",
  account: { id: "", name: "", email: "" },
  library: { id: "", name: "", role: "", scopes: [], powers: [] },
  libraries: [],
  mayFound: false,
  ways: { passkeys: false, provider: null, passwords: false },
  sendsMail: false,
  seq: "",
  answers: [],
};

type DocumentProps = {
  heading: string;
  first: FirstData;
  icon: string;
  style: string;
  children: ComponentChildren;
};

function Document({ heading, first, icon, style, children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="robots" content="noindex, nofollow, noarchive" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf9f7" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#131316" />
        <title>{`${heading} · Dubplate`}</title>
        <link rel="icon" href={`${first.root}/assets/${icon}`} type="image/svg+xml" />
        <link rel="manifest" href={`${first.root}/manifest.webmanifest`} />
        <link rel="apple-touch-icon" href={`${first.root}/icons/touch-180.png`} />
        <link rel="stylesheet" href={`${first.root}/assets/${style}`} />
        {children}
      </head>
      <body class="console">
        <div id="console">
          <main class="screen">
            <h1>{heading}</h1>
            <noscript>
              <p>Your library needs JavaScript. Please switch it on for this address.</p>
            </noscript>
          </main>
        </div>
        <script
          id="first-data"
          type="application/json"
          // No "<" is left in the JSON.
          dangerouslySetInnerHTML={{ __html: JSON.stringify(first).replaceAll("<", "\\u003c") }}
        />
      </body>
    </html>
  );
}
