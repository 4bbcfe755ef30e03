import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A time stamp authority on loopback, made by openssl. */
export type StampAuthority = {
  url: string;
  /** The certificate to check tokens with, PEM. */
  certificate: string;
  /** How many stamps it gave. */
  count: () => number;
  /** What it answers instead, until it is undefined again. */
  answerWith: (response: (() => Response) | undefined) => void;
  stop: () => void;
};

/** True where there is an openssl that can be an authority. */
export const canStamp = Bun.which("openssl") !== null;

/** Starts an authority in a folder. */
export function startStampAuthority(folder: string): StampAuthority {
  mkdirSync(folder, { recursive: true });
  const at = (name: string) => join(folder, name);
  const run = (...words: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync(["openssl", ...words], { cwd: folder, env: process.env });
    if (exitCode !== 0) throw new Error(`openssl ${words[0]}: ${stderr}`);
  };
  writeFileSync(
    at("tsa.cnf"),
    `[req]\ndistinguished_name = dn\nx509_extensions = ext\nprompt = no\n[dn]\nCN = Test authority\n` +
      `[ext]\nextendedKeyUsage = critical,timeStamping\nbasicConstraints = critical,CA:true\n` +
      `[tsa]\ndefault_tsa = one\n[one]\nserial = serial\ncrypto_device = builtin\nsigner_cert = tsa.pem\nsigner_key = tsa.key\n` +
      `default_policy = 1.2.3.4.1\ndigests = sha256\nordering = no\ntsa_name = no\ness_cert_id_chain = no\nsigner_digest = sha256\n`,
  );
  writeFileSync(at("serial"), "01\n");
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "tsa.key"];
  run("req", "-x509", ...key, "-out", "tsa.pem", "-days", "30", "-config", "tsa.cnf");
  let given = 0;
  let instead: (() => Response) | undefined;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (instead) return instead();
      writeFileSync(at("request.tsq"), new Uint8Array(await request.arrayBuffer()));
      run("ts", "-reply", "-config", "tsa.cnf", "-queryfile", "request.tsq", "-out", "reply.tsr");
      given++;
      const headers = { "content-type": "application/timestamp-reply" };
      return new Response(await Bun.file(at("reply.tsr")).bytes(), { headers });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/tsa`,
    certificate: at("tsa.pem"),
    count: () => given,
    answerWith(response) {
      instead = response;
    },
    stop: () => void server.stop(true),
  };
}
