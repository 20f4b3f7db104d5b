module file-sync-example/upload-file

go 1.21
