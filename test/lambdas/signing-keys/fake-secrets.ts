import { InvalidParameterException, ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';
import { createKeyStore, type SigningKeys } from '../../../lambdas/signing-keys/key-store.ts';
import { type KeySet, parseKeySet, parseSigningKey } from '../../../storage/signing-keys.ts';

interface Version {
  readonly id: string;
  readonly text?: string | undefined;
  readonly stages: readonly string[];
}

interface Call {
  readonly constructor: { readonly name: string };
  readonly input: Readonly<Record<string, unknown>>;
}

const kmsKey = 'arn:aws:kms:us-east-1:000000000000:key/of-the-stack';

/** Both secrets in memory, with the calls of Secrets Manager. A function can die between any two calls. */
class FakeSecrets {
  /** Number of writes after which the process dies. */
  writesLeft = Number.POSITIVE_INFINITY;
  /** Awaited by every call before its effect. */
  turn: () => Promise<unknown> = async () => undefined;
  /** Called after each write. */
  written: () => void = () => undefined;
  /** Labels that were moved, in order, except PROPOSED. */
  readonly writes: string[] = [];
  private readonly secrets: Record<string, readonly Version[]> = { keys: [], set: [] };

  /**
   * Does the work of RotateSecret before it calls the function.
   *
   * @throws {Error} while another rotation is not complete: AWSPENDING and AWSCURRENT label different
   * versions
   */
  begin(id: string): void {
    const { current, pending } = this;
    if (id !== current && id !== pending) {
      if (pending !== undefined && pending !== current) {
        throw new Error("A previous rotation isn't complete");
      }
      if (!this.all('keys').some((one) => one.id === id)) {
        this.add(id);
      }
      this.pending = id;
    }
  }

  /** Adds a version of the private keys. */
  add(id: string, text?: string): void {
    const others = this.all('keys').filter((one) => one.id !== id);
    const stages = this.all('keys').find((one) => one.id === id)?.stages ?? [];
    this.secrets.keys = [...others, { id, text, stages }];
  }

  /** Deletes the version of the next key. */
  loseNext(): void {
    this.secrets.keys = this.all('keys').filter(({ id }) => id !== this.readable.next);
  }

  /** Returns the version of a secret with this label. */
  holder(secret: 'keys' | 'set', stage: string): Version | undefined {
    return this.all(secret).find(({ stages }) => stages.includes(stage));
  }

  get current(): string | undefined {
    return this.holder('keys', 'AWSCURRENT')?.id;
  }

  set current(id: string | undefined) {
    this.secrets.keys = moved(this.all('keys'), 'AWSCURRENT', id);
  }

  get pending(): string | undefined {
    return this.holder('keys', 'AWSPENDING')?.id;
  }

  set pending(id: string | undefined) {
    this.secrets.keys = moved(this.all('keys'), 'AWSPENDING', id);
  }

  /** Secret text that `token` can read. */
  get text(): string {
    return this.holder('keys', 'AWSCURRENT')?.text ?? '';
  }

  /** Private key that `token` can read. */
  get readable() {
    return parseSigningKey(this.text);
  }

  /** Current and next signing key. */
  get keys(): SigningKeys {
    const { key: current, next } = this.readable;
    const { text = '' } = this.all('keys').find(({ id }) => id === next) ?? {};
    return { current, next: parseSigningKey(text).key };
  }

  get keySet(): KeySet {
    return parseKeySet(this.holder('set', 'AWSCURRENT')?.text ?? '{"keys":[]}');
  }

  set keySet(set: KeySet | undefined) {
    this.secrets.set = set ? [{ id: 'set', text: JSON.stringify(set), stages: ['AWSCURRENT'] }] : [];
  }

  entry(kid: string) {
    return this.keySet.keys.find(({ jwk }) => jwk.kid === kid);
  }

  async send({ constructor: { name }, input }: Call): Promise<object> {
    await this.turn();
    const secret = String(input.SecretId);
    const all = this.all(secret);
    switch (name) {
      case 'GetSecretValueCommand': {
        const { VersionId: id, VersionStage: stage = 'AWSCURRENT' } = input;
        const found = all.find((it) => (id === undefined ? it.stages.includes(String(stage)) : it.id === id));
        if (found?.text === undefined) {
          throw new ResourceNotFoundException({ message: 'not found', $metadata: {} });
        }
        return { SecretString: found.text, VersionId: found.id };
      }
      case 'DescribeSecretCommand':
        return {
          KmsKeyId: kmsKey,
          VersionIdsToStages: Object.fromEntries(all.map(({ id, stages }) => [id, stages])),
        };
      case 'PutSecretValueCommand': {
        const [id, text] = [String(input.ClientRequestToken), String(input.SecretString)];
        const kept = all.find((it) => it.id === id)?.stages ?? [];
        const added = [...all.filter((it) => it.id !== id), { id, text, stages: kept }];
        return this.write(secret, added, String(input.VersionStages), id);
      }
      case 'UpdateSecretVersionStageCommand': {
        const { VersionStage: stage, RemoveFromVersionId: from, MoveToVersionId: to } = input;
        if (all.find(({ stages }) => stages.includes(String(stage)))?.id !== from) {
          throw new InvalidParameterException({ message: 'is elsewhere', $metadata: {} });
        }
        return this.write(secret, all, String(stage), to);
      }
    }
    throw new Error(`The fake does not know ${name}`);
  }

  private all(secret: string): readonly Version[] {
    return this.secrets[secret] ?? [];
  }

  private write(secret: string, versions: readonly Version[], stage: string, to: unknown): object {
    if (this.writesLeft === 0) {
      throw new Error('crash');
    }
    this.writesLeft -= 1;
    this.secrets[secret] = moved(versions, stage, to);
    this.writes.push(...(stage.startsWith('PROPOSED') ? [] : [`${secret} ${stage}`]));
    this.written();
    return {};
  }
}

/** Moves a label. The version that loses AWSCURRENT receives AWSPREVIOUS. */
function moved(all: readonly Version[], stage: string, to: unknown): readonly Version[] {
  const from = all.find(({ stages }) => stages.includes(stage))?.id;
  const after = all.map(({ stages, ...it }) => {
    const others = stages.filter((one) => one !== stage);
    return { ...it, stages: it.id === to ? [...others, stage] : others };
  });
  return stage === 'AWSCURRENT' && from !== undefined && from !== to
    ? moved(after, 'AWSPREVIOUS', from)
    : after;
}

/** Creates the secrets in memory, and a store of the function for them. */
export function fakeSecrets() {
  const secrets = new FakeSecrets();
  const client = { send: (call: Call) => secrets.send(call) } as never;
  return Object.assign(secrets, createKeyStore(client, { signingKey: 'keys', keySet: 'set', kmsKey }));
}

export type Secrets = ReturnType<typeof fakeSecrets>;
