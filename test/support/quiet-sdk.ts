/** Importing this keeps the SDK's notice about coming Node versions out of reports; package.json says which are fit. */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
