@echo off
rem The command line of an installed Winnow: plain Node beside the application, as on other systems.
"%~dp0..\node\node.exe" --disable-warning=ExperimentalWarning "%~dp0..\app.asar.unpacked\out\main\cli.js" %*
