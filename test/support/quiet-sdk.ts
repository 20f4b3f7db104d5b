/**
 * Import this file to omit the SDK's notice about future Node versions from reports. package.json lists the
 * supported versions.
 */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
