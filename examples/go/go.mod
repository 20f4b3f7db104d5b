module file-sync-example/upload-file

go 1.25.0

require golang.org/x/oauth2 v0.36.0
