@echo off
rem Starts Stowage from its release archive: the runtime beside it, else JAVA_HOME, else java on the PATH.
setlocal
set "HOME_DIR=%~dp0.."
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
if exist "%HOME_DIR%\runtime\bin\java.exe" set "JAVA=%HOME_DIR%\runtime\bin\java"
"%JAVA%" -XX:+UseSerialGC -XX:-UsePerfData -XX:MaxRAMPercentage=50 -Djava.awt.headless=true "-Dstowage.home=%HOME_DIR%" %STOWAGE_JAVA_OPTS% -jar "%HOME_DIR%\lib\stowage.jar" %*
exit /b %ERRORLEVEL%
