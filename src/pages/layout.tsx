/** @jsxRuntime automatic @jsxImportSource preact */
import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import { BrandOfPage, type PageBrand } from "./brand.ts";

const PRODUCT = "Dubplate";

/** Names in `/assets`, by the file names in the sources. `htmlResponse` provides them. */
export const AssetNames = createContext<ReadonlyMap<string, string>>(new Map());

/** What a link to a page shows when it is pasted somewhere. */
export type Preview = {
  title: string;
  description: string;
  /** Absolute address of a picture. */
  image?: string | undefined;
  /** Absolute address of the page. */
  url?: string | undefined;
  type?: "website" | "music.song" | "music.album" | "music.playlist";
};

/** The parts of a page. */
export type PageProps = {
  /** Title of the window; the product's name is appended. */
  title: string;
  /** Path that every link on the page begins with, see `pageRootOf`. The default is empty. */
  root?: string;
  /** Without it, the preview shows only the title. */
  preview?: Preview | undefined;
  /** A script of `src/pages/browser/` that the page needs, such as `player.js`. */
  script?: string;
  /** `narrow` for forms and messages, `wide` for everything else. */
  width?: "narrow" | "wide";
  /** Shown at the right of the header. */
  aside?: ComponentChildren;
  /** Shown at the end of the page. */
  footer?: ComponentChildren;
  /** Stays at the lower edge of the window. */
  dock?: ComponentChildren;
  children: ComponentChildren;
};

/** The frame of every page: head, header, main part and footer. */
export function Page({
  title,
  root = "",
  preview,
  script,
  width = "narrow",
  aside,
  footer,
  dock,
  children,
}: PageProps) {
  const names = useContext(AssetNames);
  const brand = useContext(BrandOfPage);
  const asset = (source: string) => `${root}/assets/${names.get(source) ?? source}`;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="robots" content="noindex, nofollow, noarchive" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf9f7" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#131316" />
        <title>{`${title} · ${brand.name ?? PRODUCT}`}</title>
        <PreviewTags {...(preview ?? { title, description: "" })} />
        <link rel="icon" href={asset("icon.svg")} type="image/svg+xml" />
        <link rel="stylesheet" href={asset("main.css")} />
        {brand.accentPath && <link rel="stylesheet" href={brand.accentPath} />}
        <link
          rel="preload"
          as="font"
          type="font/woff2"
          href={asset("figtree-latin.woff2")}
          crossorigin="anonymous"
        />
        {script && <script src={asset(script)} defer />}
        {script && (
          <noscript>
            <link rel="stylesheet" href={asset("plain.css")} />
          </noscript>
        )}
      </head>
      <body class={width}>
        <header class="site-header">
          <Wordmark brand={brand} />
          {aside && <div class="site-aside">{aside}</div>}
        </header>
        <main>{children}</main>
        {footer && <footer class="site-footer">{footer}</footer>}
        {dock}
      </body>
    </html>
  );
}

function PreviewTags({ title, description, image, url, type = "website" }: Preview) {
  return (
    <>
      <meta property="og:site_name" content={useContext(BrandOfPage).name ?? PRODUCT} />
      <meta property="og:type" content={type} />
      <meta property="og:title" content={title} />
      {description && <meta name="description" content={description} />}
      {description && <meta property="og:description" content={description} />}
      {url && <meta property="og:url" content={url} />}
      {image && <meta property="og:image" content={image} />}
      <meta name="twitter:card" content="summary" />
    </>
  );
}

/** The name and mark of the account whose page it is; ours, where it has none. */
function Wordmark({ brand: { name, website, logoPath } }: { brand: PageBrand }) {
  const words = (
    <>
      {logoPath ? <img src={logoPath} alt="" /> : <Disc />}
      {name ?? PRODUCT}
    </>
  );
  if (website === null) return <span class="wordmark">{words}</span>;
  return (
    <a class="wordmark" href={website} rel="noopener noreferrer">
      {words}
    </a>
  );
}

function Disc() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="15" />
      <circle cx="16" cy="16" r="11.6" class="groove" />
      <circle cx="16" cy="16" r="9" class="groove" />
      <circle cx="16" cy="16" r="5.8" class="label" />
    </svg>
  );
}
