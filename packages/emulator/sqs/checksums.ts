import { createHash } from 'node:crypto';

/** A message attribute that is text. */
export interface TextAttribute {
  readonly DataType: string;
  readonly StringValue: string;
}

/** The SDK compares this checksum with the message that it sent or received. */
export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** SQS Developer Guide, "Calculating the MD5 message digest for message attributes". */
export function md5OfAttributes(attributes: Readonly<Record<string, TextAttribute>>): string {
  const hash = createHash('md5');
  const add = (text: string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(text));
    hash.update(length).update(text);
  };
  for (const name of Object.keys(attributes).toSorted()) {
    const { DataType = '', StringValue = '' } = attributes[name] ?? {};
    add(name);
    add(DataType);
    // The value is text.
    hash.update(Buffer.of(1));
    add(StringValue);
  }
  return hash.digest('hex');
}
