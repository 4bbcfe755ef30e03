import { join } from "node:path";

const PACKAGING = join(import.meta.dir, "../../packaging");

/** How a proxy is checked and started with our sample, on other ports and with its own certificate. */
export type ReverseProxy = {
  program: string;
  /** Writes the sample into a folder. Returns the commands that check it, and that run it in the foreground. */
  prepare: (
    folder: string,
    ports: { outside: number; inside: number },
  ) => Promise<{ check: string[]; run: string[] }>;
};

const sample = (name: string) => Bun.file(join(PACKAGING, name)).text();

/** Replaces a part of a sample, which must be there: otherwise something else would be checked. */
function swap(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`The sample has no "${from}"`);
  return text.replaceAll(from, to);
}

async function makeCertificate(folder: string): Promise<{ cert: string; key: string }> {
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const options = ["-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
  const child = Bun.spawn(["openssl", "req", "-x509", ...options, "-keyout", key, "-out", cert], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  if ((await child.exited) !== 0) throw new Error("openssl made no certificate");
  return { cert, key };
}

const nginx: ReverseProxy = {
  program: "nginx",
  async prepare(folder, { outside, inside }) {
    const { cert, key } = await makeCertificate(folder);
    let site = await sample("nginx.conf");
    site = swap(site, "listen 443 ssl", `listen 127.0.0.1:${outside} ssl`);
    site = swap(site, "music.example.com;", "localhost;");
    site = swap(site, "127.0.0.1:4747", `127.0.0.1:${inside}`);
    site = swap(site, "/etc/letsencrypt/live/music.example.com/fullchain.pem", cert);
    site = swap(site, "/etc/letsencrypt/live/music.example.com/privkey.pem", key);
    await Bun.write(join(folder, "site.conf"), site);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((each) => `${each}_temp_path ${folder}/${each};`)
      .join(" ");
    const main = `daemon off; pid ${folder}/pid; error_log stderr warn; events {}
      http { access_log off; ${temporary} include ${folder}/site.conf; }`;
    await Bun.write(join(folder, "nginx.conf"), main);
    const command = ["nginx", "-p", folder, "-c", join(folder, "nginx.conf")];
    return { check: [...command, "-t"], run: command };
  },
};

const caddy: ReverseProxy = {
  program: "caddy",
  async prepare(folder, { outside, inside }) {
    let site = await sample("Caddyfile");
    site = swap(site, "music.example.com {", `https://localhost:${outside} {`);
    site = swap(site, "127.0.0.1:4747", `127.0.0.1:${inside}`);
    const options = [
      "admin off",
      "skip_install_trust",
      "auto_https disable_redirects",
      `storage file_system ${folder}`,
    ];
    const path = join(folder, "Caddyfile");
    await Bun.write(path, swap(site, "\n{\n", `\n{\n\t${options.join("\n\t")}\n`));
    const rest = ["--config", path, "--adapter", "caddyfile"];
    return { check: ["caddy", "validate", ...rest], run: ["caddy", "run", ...rest] };
  },
};

export const PROXIES: readonly ReverseProxy[] = [nginx, caddy];
