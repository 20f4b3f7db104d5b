import {
  addPendingVersion,
  findVersion,
  putValue,
  removeVersion,
  type Secret,
  stagesByVersion,
  unfinishedRotation,
  updateStage,
} from 'cloud-assembly-emulator/secrets-manager/secret';
import { createKeyStore, type SigningKeys } from '../../../lambdas/signing-keys/key-store.ts';
import { type KeySet, parseKeySet, parseSigningKey } from '../../../storage/signing-keys.ts';

interface Call {
  readonly constructor: { readonly name: string };
  readonly input: Readonly<Record<string, string | undefined>> & { readonly SecretId: 'keys' | 'set' };
}

const kmsKey = 'arn:aws:kms:us-east-1:000000000000:key/of-the-stack';
const empty: Secret = { arn: '', name: '', createdAt: 0, changedAt: 0, versions: [] };

/** Both secrets of the emulator in memory, without files. A function can die between any two calls. */
class FakeSecrets {
  /** Number of writes after which the process dies. */
  writesLeft = Number.POSITIVE_INFINITY;
  /** Awaited by every call before its effect. */
  turn: () => Promise<unknown> = async () => undefined;
  /** Called after each write. */
  written: () => void = () => undefined;
  /** Labels that were moved, in order, except PROPOSED. */
  readonly writes: string[] = [];
  private readonly secrets = { keys: empty, set: empty };

  /**
   * Does the work of RotateSecret before it calls the function.
   *
   * @throws {Error} while another rotation is not complete
   */
  begin(id: string): void {
    const keys = this.secrets.keys;
    if (id === this.current || id === this.pending) {
      return;
    }
    if (unfinishedRotation(keys) !== undefined) {
      throw new Error("A previous rotation isn't complete");
    }
    if (keys.versions.some(({ versionId }) => versionId === id)) {
      this.pending = id;
    } else {
      this.secrets.keys = addPendingVersion(keys, id, 0);
    }
  }

  /** Adds a version of the private keys, or a text to a version without one. */
  add(id: string, text: string): void {
    this.secrets.keys = putValue(this.secrets.keys, id, { text }, [], 0);
  }

  /** Deletes the version of the next key. */
  loseNext(): void {
    this.secrets.keys = removeVersion(this.secrets.keys, this.readable.next ?? '');
  }

  /** Returns the id of the version of the private keys with this label. */
  holder(stage: string): string | undefined {
    return this.secrets.keys.versions.find(({ stages }) => stages.includes(stage))?.versionId;
  }

  get current(): string | undefined {
    return this.holder('AWSCURRENT');
  }

  /** Deletes the version of the current key. */
  set current(_: undefined) {
    this.secrets.keys = removeVersion(this.secrets.keys, this.current ?? '');
  }

  get pending(): string | undefined {
    return this.holder('AWSPENDING');
  }

  set pending(id: string | undefined) {
    this.secrets.keys = updateStage(this.secrets.keys, 'AWSPENDING', id, this.pending);
  }

  /** Secret text that `token` can read. */
  get text(): string {
    return findVersion(this.secrets.keys, undefined, undefined).value.text;
  }

  /** Private key that `token` can read. */
  get readable() {
    return parseSigningKey(this.text);
  }

  /** Current and next signing key. */
  get keys(): SigningKeys {
    const { key: current, next } = this.readable;
    const { text } = findVersion(this.secrets.keys, next, undefined).value;
    return { current, next: parseSigningKey(text).key };
  }

  get keySet(): KeySet {
    return parseKeySet(findVersion(this.secrets.set, undefined, undefined).value.text);
  }

  set keySet(set: KeySet | undefined) {
    this.secrets.set = set ? putValue(empty, 'set', { text: JSON.stringify(set) }, ['AWSCURRENT'], 0) : empty;
  }

  entry(kid: string) {
    return this.keySet.keys.find(({ jwk }) => jwk.kid === kid);
  }

  async send({ constructor: { name }, input }: Call): Promise<object> {
    await this.turn();
    try {
      return this.respond(name, input);
    } catch (error) {
      // The SDK recognises its errors by these members.
      const { code: name } = Object(error);
      throw name === undefined
        ? error
        : Object.assign(Object(error), { name, $fault: 'client', $metadata: {} });
    }
  }

  private respond(name: string, input: Call['input']): object {
    const { SecretId, VersionId, VersionStage: stage } = input;
    const secret = this.secrets[SecretId];
    switch (name) {
      case 'GetSecretValueCommand': {
        const { value, versionId } = findVersion(secret, VersionId, stage);
        return { SecretString: value.text, VersionId: versionId };
      }
      case 'DescribeSecretCommand':
        return { KmsKeyId: kmsKey, VersionIdsToStages: stagesByVersion(secret) };
      case 'PutSecretValueCommand': {
        const { ClientRequestToken = '', SecretString: text = '', VersionStages } = input;
        const to = String(VersionStages);
        return this.write(SecretId, putValue(secret, ClientRequestToken, { text }, [to], 0), to);
      }
      case 'UpdateSecretVersionStageCommand': {
        const { VersionStage: moved = '', RemoveFromVersionId, MoveToVersionId } = input;
        const changed = updateStage(secret, moved, MoveToVersionId, RemoveFromVersionId);
        return this.write(SecretId, changed, moved);
      }
    }
    throw new Error(`The fake does not know ${name}`);
  }

  private write(id: 'keys' | 'set', changed: Secret, stage: string): object {
    if (this.writesLeft === 0) {
      throw new Error('crash');
    }
    this.writesLeft -= 1;
    this.secrets[id] = changed;
    this.writes.push(...(stage.startsWith('PROPOSED') ? [] : [`${id} ${stage}`]));
    this.written();
    return {};
  }
}

/** Creates the secrets in memory, and a store of the function for them. */
export function fakeSecrets() {
  const secrets = new FakeSecrets();
  const client = { send: (call: Call) => secrets.send(call) } as never;
  return Object.assign(secrets, createKeyStore(client, { signingKey: 'keys', keySet: 'set', kmsKey }));
}

export type Secrets = ReturnType<typeof fakeSecrets>;
