import * as v from 'valibot';
import { defineResourceType } from '../shared/resource-type.ts';

/** An alias record of a name. No name is resolved here. */
const recordSetSchema = v.strictObject({
  Name: v.string(),
  HostedZoneId: v.string(),
  Type: v.picklist(['A', 'AAAA']),
  AliasTarget: v.strictObject({
    DNSName: v.string(),
    HostedZoneId: v.string(),
  }),
});

export const recordSetType = defineResourceType('AWS::Route53::RecordSet', recordSetSchema);
