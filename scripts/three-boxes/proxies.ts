import { join } from "node:path";

const PACKAGING = join(import.meta.dir, "../../packaging");

/** Ports of this machine by the label's host name: our stand-ins for machines. */
export type Boxes = ReadonlyMap<string, number>;

/** A running proxy, told by its own means where each label lives. */
export type RunningProxy = {
  /** Writes the sample with other places, and has the proxy read it again as an operator would. */
  reload: (boxes: Boxes) => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts a program with the sample of `packaging/`, in plain HTTP on one port of this machine. */
export type StartProxy = (folder: string, port: number, boxes: Boxes) => Promise<RunningProxy>;

/** Replaces a part of a sample, which must be there: otherwise something else would be tried. */
function swap(text: string, from: string | RegExp, to: string): string {
  const made = text.replace(from, to);
  if (made === text) throw new Error(`The sample has no ${from}`);
  return made;
}

const linesOf = (boxes: Boxes) => [...boxes].map(([host, port]) => `${host} 127.0.0.1:${port}`);

async function must(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdio: ["ignore", "ignore", "pipe"] });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${said}`);
}

function running(command: string[], write: (boxes: Boxes) => Promise<void>, reload: string[]): RunningProxy {
  const child = Bun.spawn(command, { stdio: ["ignore", "ignore", "ignore"] });
  return {
    reload: async (boxes) => {
      await write(boxes);
      await must(reload);
    },
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}

const nginx: StartProxy = async (folder, port, first) => {
  const write = async (boxes: Boxes) => {
    let site = await Bun.file(join(PACKAGING, "three-boxes.nginx.conf")).text();
    site = swap(site, /(map .*\{\n)[^}]*/, `$1${linesOf(boxes).join(";\n")};\n`);
    site = swap(site, "listen 443 ssl http2", `listen 127.0.0.1:${port}`);
    site = swap(site, /\tssl_certificate .*\n\tssl_certificate_key .*\n/, "");
    await Bun.write(join(folder, "site.conf"), site);
  };
  await write(first);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((each) => `${each}_temp_path ${folder}/${each};`)
    .join(" ");
  const main = `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr crit; events {}
    http { access_log off; ${temporary} include ${folder}/site.conf; }`;
  await Bun.write(join(folder, "nginx.conf"), main);
  const command = ["nginx", "-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "errors")];
  await must([...command, "-t"]);
  return running(command, write, [...command, "-s", "reload"]);
};

const caddy: StartProxy = async (folder, port, first) => {
  const path = join(folder, "Caddyfile");
  const admin = `unix/${folder}/admin`;
  const write = async (boxes: Boxes) => {
    let site = await Bun.file(join(PACKAGING, "three-boxes.Caddyfile")).text();
    site = swap(site, /(map \{host\} .*\{\n)[^}]*/, `$1${linesOf(boxes).join("\n")}\n`);
    site = swap(
      site,
      /^ana.*\{$/m,
      `${[...boxes.keys()].map((host) => `http://${host}:${port}`).join(", ")} {`,
    );
    const options = `admin "${admin}"\nauto_https off\nstorage file_system ${folder}`;
    await Bun.write(path, swap(site, "\n{\n", `\n{\n${options}\n`));
  };
  await write(first);
  const rest = ["--config", path, "--adapter", "caddyfile"];
  await must(["caddy", "validate", ...rest]);
  const reload = ["caddy", "reload", ...rest, "--address", admin];
  return running(["caddy", "run", ...rest], write, reload);
};

/** The proxies of the samples, by the name of their program. */
export const START: Readonly<Record<string, StartProxy>> = { nginx, caddy };
