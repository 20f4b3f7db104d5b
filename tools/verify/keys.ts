import { decodeProtectedHeader } from 'jose';
import { keyCacheSeconds } from '../../contract/internal/key-cache.ts';
import type { Labels } from './operator.ts';
import { type Check, EarlyOutcome, judge } from './outcome.ts';
import type { Service } from './service.ts';

/** Checks the key policy of the signing keys. It denies operators, regardless of their other permissions. */
export const privateKeys: Check = {
  id: 'private-keys',
  label: 'try to read the private keys',
  check: async ({ operator }) => {
    const denied = await operator.tryToReadPrivateKeys();
    if (denied === undefined) {
      return judge(false, 'These credentials can read them: the key policy does not deny them.');
    }
    // Secrets Manager forwards the KMS error. After any other error, the key policy remains unchecked.
    if (!denied.name.startsWith('AccessDenied') || !/\bkms\b/i.test(denied.message)) {
      throw new EarlyOutcome(
        `These credentials may not request the secret (${denied.name}), so the key policy was not checked. Run this as an administrator, or skip this check with --skip.`,
      );
    }
    return judge(
      true,
      `These credentials may request the secret, and the key policy rejected them: ${denied.name}.`,
    );
  },
};

/**
 * Checks that the signing key rotates on request, the next key replaces it, and tokens of the previous key
 * stay valid.
 */
export const rotation: Check = {
  id: 'rotation',
  label: 'rotate the signing key, and wait five minutes for cached keys',
  check: async ({ operator, token, volumesStatus, isLocal, sleep }) => {
    const [labels, before, oldToken] = await Promise.all([
      operator.labels(),
      operator.publishedKeys(),
      token(),
    ]);
    await operator.rotate();
    await sleep(cachedMilliseconds(isLocal));
    const followed =
      versionWith('AWSPREVIOUS', await operator.labels()) === versionWith('AWSCURRENT', labels);
    const { served, signing } = await operator.publishedKeys();
    const freshKeys = served.filter((kid) => !before.kids.includes(kid)).length;
    const isNext = before.next === signing && signing !== '' && served.includes(keyOf(oldToken));
    const [old, fresh] = [await volumesStatus(oldToken), await volumesStatus(await token())];
    return judge(
      followed && isNext && freshKeys > 0 && old === 200 && fresh === 200,
      `AWSPREVIOUS ${followed ? 'followed' : 'did not follow'} AWSCURRENT, the key that was next ${isNext ? 'signs' : 'does not sign'}, new keys published: ${freshKeys}, ` +
        `the old token got ${old}, and a new token ${fresh}.`,
    );
  },
};

function keyOf(token: string): string {
  return decodeProtectedHeader(token).kid ?? '';
}

/** Returns the version with a label. */
function versionWith(label: string, labels: Labels): string | undefined {
  return Object.keys(labels).find((version) => labels[version]?.includes(label));
}

/**
 * Checks that a revoked key is no longer published, and a key that verifiers know replaces it. On AWS, the check
 * waits until no function uses an earlier copy of the key set. In a local run, a token of the key may get 200 for
 * five minutes.
 */
export const revocation: Check = {
  id: 'revocation',
  label: 'revoke the signing key of a token, and wait five minutes for cached keys',
  check: async ({ operator, token, volumesStatus, now, isLocal, sleep }) => {
    const oldToken = await token();
    const kid = keyOf(oldToken);
    const before = await operator.publishedKeys();
    if (!before.kids.includes(kid)) {
      throw new EarlyOutcome('The key of a new token is not published.');
    }
    const rejectedFrom = await operator.revokeKey(kid);
    await sleep(cachedMilliseconds(isLocal));
    const { served, signing, next } = await operator.publishedKeys();
    const gone = !served.includes(kid) && signing !== kid;
    const isKnown = before.kids.includes(signing) && !before.kids.includes(next);
    const old = await volumesStatus(oldToken);
    const isDue = old === 401 || (old === 200 && now() < rejectedFrom.getTime());
    return judge(
      gone && isKnown && isDue,
      `The key of a token is ${gone ? 'no longer' : 'still'} published. ` +
        `${isKnown ? 'A key that was published before signs, and a new key is next' : 'No key that was published before signs, or no new key is next'}. ` +
        `A token of the key got ${old}; its tokens are rejected from ${rejectedFrom.toISOString()}.`,
    );
  },
};

/** Returns the time after which `well-known` serves no earlier keys, in milliseconds. */
const cachedMilliseconds = (isLocal: boolean) => (isLocal ? pauseMilliseconds : keyCacheSeconds * 1000);

/** On AWS, several function environments respond, each with its own copy of the key. */
const tokensToCheck = 10;

/** A local run ends a function after 30 s of idle time, and with it the copy of the key. */
const pauseMilliseconds = 35_000;

/**
 * Waits while functions sign with a key that an earlier run or an operator revoked: tokens of that key may be
 * rejected, and many checks would fail.
 */
export async function waitForRevokedKey(
  { operator, token, now, sleep }: Service,
  say: (line: string) => void,
): Promise<void> {
  for (;;) {
    const tokens = await Promise.all(Array.from({ length: tokensToCheck }, token));
    const { kids } = await operator.publishedKeys();
    const until = (await operator.keysChangedAt()).getTime() + keyCacheSeconds * 1000;
    if (until <= now() || tokens.every((one) => kids.includes(keyOf(one)))) {
      return;
    }
    say(`Functions may sign with a revoked key until ${new Date(until).toISOString()}. Waiting.`);
    await sleep(Math.min(until - now(), pauseMilliseconds));
  }
}
