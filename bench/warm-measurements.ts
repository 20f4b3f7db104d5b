import type { BenchRequest } from './contestant.ts';
import type { Measured, Measurement } from './measurement.ts';
import type { Setting } from './setting.ts';
import { median } from './statistics.ts';
import { measureWarm, type WarmContestant, type WarmSamples } from './warm-lab.ts';

const tokenRequest = async ({ clientId, clientSecret }: Setting): Promise<BenchRequest> => ({
  method: 'POST',
  path: '/oauth/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`,
});

const token: WarmContestant = {
  name: 'token',
  program: { functionName: 'token', routeKey: 'POST /oauth/token' },
  request: tokenRequest,
};
const bareToken: WarmContestant = { name: 'bare SDK token', program: 'peer-token', request: tokenRequest };
const oidcProvider: WarmContestant = {
  name: 'oidc-provider',
  program: 'peer-oidc',
  request: async (setting) => ({ ...(await tokenRequest(setting)), path: '/token' }),
};

const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });
const volumesWith = (accessToken: string): BenchRequest => ({
  method: 'GET',
  path: '/v0/volumes',
  headers: bearer(accessToken),
});

/** Requests with one token, which the contestant has seen before. */
function volumesAgain(): WarmContestant['request'] {
  const tokens = new WeakMap<Setting, Promise<string>>();
  return async (setting) => {
    const known = tokens.get(setting) ?? setting.newToken();
    tokens.set(setting, known);
    return volumesWith(await known);
  };
}
const volumesOnce: WarmContestant['request'] = async (setting) => volumesWith(await setting.newToken());

const volumesFunction = { functionName: 'volumes', routeKey: 'GET /v0/volumes' };
const seen: WarmContestant = {
  name: 'volumes, token seen before',
  program: volumesFunction,
  request: volumesAgain(),
};
const fresh: WarmContestant = { name: 'volumes, new token', program: volumesFunction, request: volumesOnce };
const verifySeen: WarmContestant = {
  name: 'jwtVerify, one token',
  program: 'peer-verify',
  request: volumesAgain(),
};
const verifyFresh: WarmContestant = {
  name: 'jwtVerify, new tokens',
  program: 'peer-verify',
  request: volumesOnce,
};
const nothing: WarmContestant = { name: 'node:http alone', program: 'peer-nothing', request: volumesAgain() };

/** Each sync comes with a token of its own, as from a client that syncs once an hour. */
const syncRequest = async ({ fileId, newToken }: Setting): Promise<BenchRequest> => ({
  method: 'POST',
  path: `/v0/files/${fileId}/sync`,
  headers: bearer(await newToken()),
});
const sync: WarmContestant = {
  name: 'sync',
  program: { functionName: 'sync', routeKey: 'POST /v0/files/{fileId}/sync' },
  request: syncRequest,
};
const bareSync: WarmContestant = { name: 'bare SDK sync', program: 'peer-sync', request: syncRequest };

const measureTokens = onceForEachRun([token, bareToken, oidcProvider, nothing]);
const measureVolumes = onceForEachRun([seen, fresh, verifySeen, verifyFresh, nothing]);
const measureSyncs = onceForEachRun([sync, bareSync, nothing]);

/** `token`, `volumes` and `sync` in a warm process, each beside peers that do the same with the least code. */
export const warmMeasurements: readonly Measurement[] = [
  ratio(
    'token-to-bare-sdk',
    'CPU of `token` / of one SDK GetItem and one jose signature',
    0.95,
    measureTokens,
    token,
    bareToken,
  ),
  ratio(
    'token-to-oidc-provider',
    'CPU of `token` / of oidc-provider with the same GetItem',
    0.65,
    measureTokens,
    token,
    oidcProvider,
  ),
  ratio(
    'volumes-seen-to-jwtverify',
    'CPU of `volumes`, token seen before / of one jwtVerify',
    0.5,
    measureVolumes,
    seen,
    verifySeen,
  ),
  ratio(
    'volumes-new-to-jwtverify',
    'CPU of `volumes`, new token / of one jwtVerify',
    1.1,
    measureVolumes,
    fresh,
    verifyFresh,
  ),
  ratio(
    'sync-to-bare-sdk',
    'CPU of `sync` / of jwtVerify and the same four calls of the SDK',
    0.75,
    measureSyncs,
    sync,
    bareSync,
  ),
];

type MeasureAll = (rounds: number) => Promise<WarmSamples>;

/** Several measurements share contestants, so their samples are taken once. */
function onceForEachRun(contestants: readonly WarmContestant[]): MeasureAll {
  let taken: Promise<WarmSamples> | undefined;
  return (rounds) => {
    taken ??= measureWarm(contestants, rounds);
    return taken;
  };
}

function ratio(
  id: string,
  what: string,
  target: number,
  measureAll: MeasureAll,
  ours: WarmContestant,
  peer: WarmContestant,
): Measurement {
  const measure = async (rounds: number): Promise<Measured> => {
    const samples = await measureAll(rounds);
    const peers = samples.get(peer.name) ?? [];
    const detail = [...samples].map(([name, values]) => [`${name}, µs of CPU`, median(values)]);
    return {
      samples: (samples.get(ours.name) ?? []).map((value, round) => value / (peers[round] ?? Number.NaN)),
      detail: Object.fromEntries(detail),
    };
  };
  return { id, what, unit: 'ratio', target, better: 'lower', measure };
}
